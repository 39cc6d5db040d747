import * as assert from 'uvu/assert';
import { CONTENT_TYPE, filePart, multipart } from '../../testing/multipart.ts';
import { bearer } from '../../testing/visitor.ts';

/** Uploads a file to the server at `address`. @returns its item. */
export async function uploadFile(
  address: string,
  token: string,
  name: string,
  content: Buffer | string,
): Promise<number> {
  const answered = await fetch(`${address}/api/documents/upload`, {
    method: 'POST',
    headers: { 'content-type': CONTENT_TYPE, ...bearer(token) },
    body: multipart([filePart(name, content)]),
  });
  assert.is(answered.status, 201, await answered.clone().text());
  return ((await answered.json()) as { data: { id: number } }).data.id;
}

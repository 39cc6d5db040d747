import { randomBytes, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import * as assert from 'uvu/assert';
import { loseCommitAnswer } from '#server/testing/lose-commit-answer.ts';
import type { TestResponse } from '#server/testing/visitor.ts';
import { bearer } from '#server/testing/visitor.ts';
import type { Office } from './testing/office.ts';
import { metadata, officeSuite } from './testing/office.ts';

const test = officeSuite('uploads whose commit PostgreSQL did not confirm');

const TUS = { 'tus-resumable': '1.0.0' };
const PIECE = { ...TUS, 'content-type': 'application/offset+octet-stream' };

/** Uploads a file in one request. */
const send = (
  { visitor, token }: Office,
  body: Buffer,
  fields: Record<string, string> = {},
): Promise<TestResponse> =>
  visitor.post('/api/documents/resumable', body, {
    headers: {
      ...PIECE,
      'upload-length': String(body.length),
      'upload-metadata': metadata({ filename: 'Audit.pdf', parent_id: '', ...fields }),
      ...bearer(token),
    },
  });

async function contentOf({ services, blobs, actor }: Office, id: number): Promise<Buffer> {
  const { blob_id } = await services.documents.openFile(actor, id);
  return buffer(await blobs.get(blob_id));
}

const isAway = ({ status, json, text }: TestResponse): void =>
  assert.equal([status, json.code], [503, 'database_away'], text);

test('a new file keeps its bytes and is not inserted a second time, so the same key gives the file', async (office) => {
  const content = randomBytes(9000);
  const key = { upload_key: randomUUID() };
  loseCommitAnswer(office.db, async () => (await office.db('item_rows')).length > 0);
  isAway(await send(office, content, key));
  const again = await send(office, content, key);
  assert.is(again.status, 200, again.text);
  await office.services.sweeper.drain();
  assert.ok((await contentOf(office, again.json.data.id)).equals(content));
});

test('a new version keeps its bytes: they are no second copy of the content that the file has already', async (office) => {
  const { json } = await send(office, randomBytes(5000));
  const content = randomBytes(9000);
  loseCommitAnswer(office.db, async () => (await office.db('versions')).length > 0);
  isAway(await send(office, content, { conflict: 'replace' }));
  await office.services.sweeper.drain();
  assert.ok((await contentOf(office, json.data.id)).equals(content));
  assert.is((await send(office, content, { conflict: 'replace' })).status, 201);
  await office.services.sweeper.drain();
  assert.ok((await contentOf(office, json.data.id)).equals(content));
  assert.is((await office.db('versions')).length, 1);
});

test('a part that counts as received keeps its bytes, so the upload can be completed', async (office) => {
  const content = randomBytes(20_000);
  const head = { ...TUS, ...bearer(office.token) };
  const begun = await office.visitor.post('/api/documents/resumable', Buffer.alloc(0), {
    headers: {
      ...head,
      'upload-length': String(content.length),
      'upload-metadata': metadata({ filename: 'Audit.pdf', parent_id: '' }),
    },
  });
  const path = begun.headers.get('location')!;
  const patch = (offset: number, body: Buffer) =>
    office.visitor.call('PATCH', path, {
      body,
      headers: { ...PIECE, 'upload-offset': String(offset), ...bearer(office.token) },
    });
  loseCommitAnswer(office.db, async () => (await office.db('resumable_parts')).length > 0);
  isAway(await patch(0, content.subarray(0, 9000)));
  const asked = await office.visitor.call('HEAD', path, { headers: head });
  assert.is(asked.headers.get('upload-offset'), '9000');
  const done = await patch(9000, content.subarray(9000));
  assert.is(done.status, 200, done.text);
  assert.ok((await contentOf(office, done.json.data.id)).equals(content));
});

test.run();

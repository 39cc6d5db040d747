import { ApiError, authHeaders, onUnauthenticated } from '../api.ts';
import type { SharedFile } from './store.ts';

const PIECE = 8 * 1024 * 1024;

/** Refusals that pass: signed out meanwhile, a piece before that is still being written, too much at once. */
const PASSING = new Set([401, 408, 419, 423, 425, 429]);

/** Why a file is not taken, in the server's words. */
export class UploadRefused extends Error {}

async function call(
  method: 'POST' | 'HEAD' | 'PATCH',
  path: string,
  headers: Record<string, string>,
  body?: Blob,
): Promise<Response> {
  const answer = await fetch(path, {
    method,
    headers: {
      ...(await authHeaders('POST')),
      'Tus-Resumable': '1.0.0',
      Accept: 'application/json',
      ...headers,
    },
    ...(body && { body }),
  });
  if (answer.ok) return answer;
  const said = (await answer.json().catch(() => ({}))) as { code?: string; message?: string };
  const { code = '', message = '' } = said;
  if (answer.status === 401) onUnauthenticated.call(new ApiError(401, code, message));
  if (answer.status >= 500 || PASSING.has(answer.status)) throw new Error(`HTTP ${answer.status}`);
  throw new UploadRefused(message);
}

const encoded = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

/**
 * Sends a file in pieces, from where an earlier try stopped. `told` hears how many bytes have arrived.
 * @throws {UploadRefused} when it is refused for good; any other error when it can be tried again.
 */
export async function uploadSharedFile(
  { key, file, target: to }: SharedFile,
  told: (bytes: number) => void,
): Promise<void> {
  const fields = {
    filename: file.name,
    original_at: new Date(file.lastModified).toISOString(),
    upload_key: key,
    ...(to?.client && { client_id: to.client.id }),
    ...(to?.folder && { parent_id: String(to.folder.id) }),
  };
  const metadata = Object.entries(fields)
    .map(([name, value]) => `${name} ${encoded(value)}`)
    .join(',');
  const begun = await call('POST', '/api/documents/resumable', {
    'Upload-Length': String(file.size),
    'Upload-Metadata': metadata,
  });
  const path = begun.headers.get('location');
  // Without one it had arrived before, and only the answer was lost.
  if (path === null || file.size === 0) return;
  let offset = Number((await call('HEAD', path, {})).headers.get('upload-offset'));
  while (offset < file.size) {
    told(offset);
    const piece = file.slice(offset, offset + PIECE);
    const headers = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) };
    await call('PATCH', path, headers, piece);
    offset += piece.size;
  }
  told(offset);
}

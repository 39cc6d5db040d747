import { ApiError, authHeaders, onUnauthenticated } from '../api.ts';
import type { SharedFile } from './store.ts';

const CHUNK_BYTES = 8 * 1024 * 1024;

/** Transient refusals: signed out, an earlier chunk still being written, too many requests. */
const TRANSIENT = new Set([401, 408, 419, 423, 425, 429]);

/** The server refused the file for good; `message` is the server's. */
export class UploadRefused extends Error {}

async function call(
  method: 'POST' | 'HEAD' | 'PATCH',
  path: string,
  headers: Record<string, string>,
  body?: Blob,
): Promise<Response> {
  const response = await fetch(path, {
    method,
    headers: {
      ...(await authHeaders('POST')),
      'Tus-Resumable': '1.0.0',
      Accept: 'application/json',
      ...headers,
    },
    ...(body && { body }),
  });
  if (response.ok) return response;
  const failure = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  const { code = '', message = '' } = failure;
  if (response.status === 401) onUnauthenticated.call(new ApiError(401, code, message));
  if (response.status >= 500 || TRANSIENT.has(response.status)) throw new Error(`HTTP ${response.status}`);
  throw new UploadRefused(message);
}

const toBase64 = (text: string): string => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));

/**
 * Uploads a file in chunks (tus), resuming where an earlier attempt stopped. `onProgress` gets the bytes received so far.
 * @throws {UploadRefused} if the file is refused for good; any other error if a retry can succeed.
 */
export async function uploadSharedFile(
  { key, file, to }: SharedFile,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const fields = {
    filename: file.name,
    original_at: new Date(file.lastModified).toISOString(),
    upload_key: key,
    ...(to?.client && { client_id: to.client.id }),
    ...(to?.folder && { parent_id: String(to.folder.id) }),
  };
  const metadata = Object.entries(fields)
    .map(([name, value]) => `${name} ${toBase64(value)}`)
    .join(',');
  const created = await call('POST', '/api/documents/resumable', {
    'Upload-Length': String(file.size),
    'Upload-Metadata': metadata,
  });
  const path = created.headers.get('location');
  // Without a location the file had arrived before, and only the response was lost.
  if (path === null || file.size === 0) return;
  let offset = Number((await call('HEAD', path, {})).headers.get('upload-offset'));
  while (offset < file.size) {
    onProgress(offset);
    const chunk = file.slice(offset, offset + CHUNK_BYTES);
    const headers = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) };
    await call('PATCH', path, headers, chunk);
    offset += chunk.size;
  }
  onProgress(offset);
}

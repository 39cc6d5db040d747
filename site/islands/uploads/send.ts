import * as t from '#messages/uploads.ts';
import * as common from '#messages/common.ts';
import { ApiError, authHeaders, onUnauthenticated } from '../../lib/api.ts';
import type { Send, Uploaded } from './record.ts';
import { CANCELLED, UploadError } from './record.ts';

interface Body {
  success?: boolean;
  data?: Uploaded;
  message?: string;
  code?: string;
}

/** Uploads a file by one multipart request. Uses XMLHttpRequest, since fetch reports no upload progress. */
export const sendFile: Send = async (upload) => {
  const { file, clientId, parentId, extractZip, conflict, signal, onProgress } = upload;
  const headers = await authHeaders('POST');
  signal.throwIfAborted();
  const form = new FormData();
  // The fields precede the file, so that the server knows the destination before it reads the bytes.
  if (parentId !== null) form.set('parent_id', String(parentId));
  if (clientId !== null) form.set('client_id', String(clientId));
  if (extractZip) form.set('extract_zip', '1');
  if (conflict === 'replace') form.set('conflict', conflict);
  form.set('original_at', originalOf(file));
  form.set('file', file, file.name);

  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/api/documents/upload');
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.setRequestHeader('Accept', 'application/json');
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded));
    request.addEventListener('load', () => {
      try {
        resolve(read(request));
      } catch (error) {
        reject(error as Error);
      }
    });
    request.addEventListener('error', () => reject(unreachable()));
    request.addEventListener('abort', () => reject(new UploadError(CANCELLED)));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
};

/** The file's modification time on this device; '' if it is invalid. */
export const originalOf = ({ lastModified }: File): string =>
  Math.abs(lastModified) < 8.64e15 ? new Date(lastModified).toISOString() : '';

/** The error for a missing response. */
export const unreachable = (message = t.networkError): UploadError =>
  new UploadError(message, { hold: navigator.onLine ? 'unreachable' : 'offline' });

function read({ status, responseText }: XMLHttpRequest): Uploaded {
  const ok = status >= 200 && status < 300;
  const body = parseBody(responseText);
  if (ok && body?.data) return body.data;
  if (ok) throw new UploadError(t.invalidResponse);
  throw refused(status, responseText);
}

/** The error for an unsuccessful response; an expired session holds the queue. */
export function refused(status: number, text: string): UploadError {
  const body = parseBody(text);
  if (status === 401) {
    onUnauthenticated.call(
      new ApiError(status, body?.code ?? 'unauthenticated', body?.message ?? t.signInAgain),
    );
    return new UploadError(t.signInAgain, { hold: 'signed-out' });
  }
  if (body) return new UploadError(body.message ?? t.failed);
  // A proxy responds with 502 to 504 if the server behind it is down.
  const message = common.httpError(status);
  return status >= 502 && status <= 504 ? unreachable(message) : new UploadError(message);
}

function parseBody(text: string): Body | null {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return null;
  }
}

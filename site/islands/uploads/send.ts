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

/** Sends a file in one multipart request, by XMLHttpRequest because `fetch` does not report the progress of a request body. */
export const sendFile: Send = async (sending) => {
  const { file, clientId, parentId, extractZip, conflict, signal, onProgress } = sending;
  const headers = await authHeaders('POST');
  signal.throwIfAborted();
  const form = new FormData();
  // Before the file, so that the server knows the target before it reads the bytes.
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

/** When the file was last changed on the user's disk, as an ISO time; '' if the value is not a valid date. */
export const originalOf = ({ lastModified }: File): string =>
  Math.abs(lastModified) < 8.64e15 ? new Date(lastModified).toISOString() : '';

/** The error of a request that got no response. */
export const unreachable = (message = t.networkError): UploadError =>
  new UploadError(message, { hold: navigator.onLine ? 'unreachable' : 'offline' });

function read({ status, responseText }: XMLHttpRequest): Uploaded {
  const isSuccess = status >= 200 && status < 300;
  const body = parsed(responseText);
  if (isSuccess && body?.data) return body.data;
  if (isSuccess) throw new UploadError(t.invalidResponse);
  throw refused(status, responseText);
}

/** The error for an unsuccessful response; if the session has ended, it pauses the queue. */
export function refused(status: number, text: string): UploadError {
  const body = parsed(text);
  if (status === 401) {
    onUnauthenticated.call(
      new ApiError(status, body?.code ?? 'unauthenticated', body?.message ?? t.signInAgain),
    );
    return new UploadError(t.signInAgain, { hold: 'signed-out' });
  }
  if (body) return new UploadError(body.message ?? t.failed);
  // A proxy answers 502 to 504 when it does not reach the server.
  const message = common.httpError(status);
  return status >= 502 && status <= 504 ? unreachable(message) : new UploadError(message);
}

function parsed(text: string): Body | null {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return null;
  }
}

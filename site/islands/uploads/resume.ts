import type { HttpResponse, PreviousUpload } from 'tus-js-client';
import { DetailedError, Upload } from 'tus-js-client';
import { RESUMABLE } from '#server/uploads/contract.ts';
import { api, authHeaders } from '../../lib/api.ts';
import type { Send, Sending, Uploaded } from './record.ts';
import { HELD } from './queue.ts';
import { CANCELLED, UploadError } from './record.ts';
import { originalOf, refused, unreachable } from './send.ts';

/** Bytes per request. Each request authenticates again, and stays below the limits of proxies. */
const CHUNK_BYTES = 64 * 1024 * 1024;
/** Delays before retrying after a 409: the server has stored more than known here, since a response was lost. */
const RETRY_DELAYS_MS = [0, 1000, 3000];

/** Identifies an upload across reloads: the same file, as far as a browser can tell, with the same destination. */
export const fingerprintOf = ({ file, parentId, clientId, conflict, extractZip }: UploadIdentity): string =>
  `almirah-upload ${JSON.stringify([file.name, file.size, file.lastModified, parentId, clientId, conflict, extractZip])}`;
type UploadIdentity = Pick<Sending, 'file' | 'parentId' | 'clientId' | 'conflict' | 'extractZip'>;

/** URLs of the uploads that this tab is sending: a file chosen twice must not resume the other one's upload. */
const inUse = new Set<string>();

/**
 * Uploads a file in chunks over tus. Bytes that the server has stored are not sent again, even after a reload: the browser
 * stores the upload's URL until it is completed or cancelled.
 */
export const sendResumable: Send = async (request) => {
  const { file, signal, onProgress, onResumed } = request;
  let last: HttpResponse | undefined;
  let current: string | undefined;

  const upload = await new Promise<Upload>((resolve, reject) => {
    const one = new Upload(file, {
      endpoint: RESUMABLE,
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      metadata: metadataOf(request),
      fingerprint: () => Promise.resolve(fingerprintOf(request)),
      removeFingerprintOnSuccess: true,
      async onBeforeRequest(http) {
        const method = http.getMethod() as 'PATCH';
        for (const [name, value] of Object.entries(await authHeaders(method))) http.setHeader(name, value);
        http.setHeader('Accept', 'application/json');
      },
      onAfterResponse(http, response) {
        last = response;
        const storedBytes = http.getMethod() === 'HEAD' && response.getHeader('Upload-Offset');
        if (storedBytes) onResumed(Number(storedBytes));
      },
      onShouldRetry: (error) => error.originalResponse?.getStatus() === 409,
      onUploadUrlAvailable() {
        current = one.url ?? undefined;
        if (current) inUse.add(current);
      },
      onProgress,
      onSuccess: () => resolve(one),
      onError: (error) => reject(toUploadError(error)),
    });
    signal.addEventListener(
      'abort',
      () => {
        // A held upload resumes later; a cancelled one is also terminated on the server.
        const shouldTerminate = signal.reason !== HELD;
        void one.abort(shouldTerminate).catch(() => {});
        reject(new UploadError(CANCELLED));
      },
      { once: true },
    );
    void (async () => {
      const previous = (await one.findPreviousUploads()).find(isFree);
      signal.throwIfAborted();
      if (previous) {
        one.resumeFromPreviousUpload(previous);
        if (previous.uploadUrl) inUse.add((current = previous.uploadUrl));
      }
      one.start();
    })().catch(reject);
  }).finally(() => {
    if (current) inUse.delete(current);
  });
  return resultOf(upload, last);
};

/** Terminates the partial upload of a queued file on the server. */
export async function terminateUpload(request: UploadIdentity): Promise<void> {
  const one = new Upload(request.file, {
    endpoint: RESUMABLE,
    fingerprint: () => Promise.resolve(fingerprintOf(request)),
  });
  for (const previous of (await one.findPreviousUploads()).filter(isFree)) {
    if (!previous.uploadUrl) continue;
    const headers = await authHeaders('DELETE');
    await Upload.terminate(previous.uploadUrl, { headers, retryDelays: [] }).catch(() => {});
    localStorage.removeItem(previous.urlStorageKey);
  }
}

const isFree = ({ uploadUrl }: PreviousUpload): boolean => uploadUrl !== null && !inUse.has(uploadUrl);

function metadataOf({ file, parentId, clientId, conflict, extractZip }: Sending): Record<string, string> {
  return {
    filename: file.name,
    original_at: originalOf(file),
    ...(parentId !== null && { parent_id: String(parentId) }),
    ...(clientId !== null && { client_id: String(clientId) }),
    ...(extractZip && { extract_zip: '1' }),
    ...(conflict === 'replace' && { conflict }),
  };
}

/** The created file, from the last response, or requested separately if that response was lost. */
async function resultOf({ url }: Upload, last: HttpResponse | undefined): Promise<Uploaded> {
  try {
    const { data } = JSON.parse(last?.getBody() ?? '') as { data?: Uploaded };
    if (typeof data?.name === 'string') return data;
  } catch {
    // Requested below.
  }
  return api.get<Uploaded>(new URL(url!, location.href).pathname);
}

function toUploadError(error: Error): UploadError {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  return response ? refused(response.getStatus(), response.getBody()) : unreachable();
}

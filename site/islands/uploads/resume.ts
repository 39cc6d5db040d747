import type { HttpResponse, PreviousUpload } from 'tus-js-client';
import { DetailedError, Upload } from 'tus-js-client';
import { RESUMABLE } from '#server/uploads/contract.ts';
import { ApiError, api, authHeaders } from '../../lib/api.ts';
import type { Send, Sending, Uploaded } from './record.ts';
import { HELD } from './queue.ts';
import { CANCELLED, UploadError } from './record.ts';
import { originalOf, refused, unreachable } from './send.ts';

/** Bytes per request. Each request is authenticated, and small enough for proxies that limit request sizes. */
const CHUNK_BYTES = 64 * 1024 * 1024;
/** Milliseconds between retries when the server has more bytes than this page knows of, since an earlier response was lost. */
const RETRY_DELAYS_MS = [0, 1000, 3000];

/** The key of an upload: the file, as far as a browser can identify it, and its target. */
const keyOf = ({ file, parentId, clientId, conflict, extractZip, versionOf }: Place): string =>
  `almirah-upload ${JSON.stringify([file.name, file.size, file.lastModified, parentId, clientId, conflict, extractZip, ...(versionOf ? [versionOf.id] : [])])}`;
type Place = Pick<Sending, 'file' | 'parentId' | 'clientId' | 'conflict' | 'extractZip' | 'versionOf'>;

/** Uploads that this tab is sending: a file chosen twice must not continue the upload of the other. */
const inUse = new Set<string>();

/** Uploads to which this page has sent bytes. */
const sent = new Set<string>();

/**
 * Sends a file by tus. Bytes that the server has already are not sent again, even after a reload of the page, since the
 * browser stores the address of the upload until it is complete or cancelled.
 */
export const sendResumable: Send = async (sending) => {
  const { file, signal, onProgress, onResumed } = sending;
  let lastResponse: HttpResponse | undefined;
  let uploadUrl: string | undefined;

  const upload = await new Promise<Upload>((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: RESUMABLE,
      chunkSize: CHUNK_BYTES,
      retryDelays: RETRY_DELAYS_MS,
      metadata: metadataOf(sending),
      fingerprint: () => Promise.resolve(keyOf(sending)),
      removeFingerprintOnSuccess: true,
      async onBeforeRequest(request) {
        const method = request.getMethod() as 'PATCH';
        if (method === 'PATCH') sent.add(request.getURL());
        for (const [name, value] of Object.entries(await authHeaders(method))) request.setHeader(name, value);
        request.setHeader('Accept', 'application/json');
      },
      onAfterResponse(request, response) {
        lastResponse = response;
        const offset = request.getMethod() === 'HEAD' && response.getHeader('Upload-Offset');
        if (offset) onResumed(Number(offset));
      },
      onShouldRetry: (error) => error.originalResponse?.getStatus() === 409,
      onUploadUrlAvailable() {
        uploadUrl = upload.url ?? undefined;
        if (uploadUrl) inUse.add(uploadUrl);
      },
      onProgress,
      onSuccess: () => resolve(upload),
      onError: (error) => reject(failureOf(error)),
    });
    signal.addEventListener(
      'abort',
      () => {
        // A paused upload continues later; only a cancelled one is deleted on the server.
        const isCancelled = signal.reason !== HELD;
        void upload.abort(isCancelled).catch(() => {});
        reject(new UploadError(CANCELLED));
      },
      { once: true },
    );
    void (async () => {
      const previous = (await upload.findPreviousUploads()).find(isFree);
      signal.throwIfAborted();
      if (previous) {
        upload.resumeFromPreviousUpload(previous);
        if (previous.uploadUrl) inUse.add((uploadUrl = previous.uploadUrl));
      }
      upload.start();
    })().catch(reject);
  }).finally(() => {
    if (uploadUrl) inUse.delete(uploadUrl);
  });
  const result = await resultOf(upload, lastResponse);
  if (result) return result;
  // It was deleted since: a ZIP when it was extracted, another file by somebody. What had arrived for an earlier page is sent anew.
  return sent.has(upload.url!) ? { id: 0, name: file.name } : sendResumable(sending);
};

/** Deletes what has arrived of a file on the server, and frees the storage reserved for it. */
export async function forgetUpload(place: Place): Promise<void> {
  const upload = new Upload(place.file, {
    endpoint: RESUMABLE,
    fingerprint: () => Promise.resolve(keyOf(place)),
  });
  for (const previous of (await upload.findPreviousUploads()).filter(isFree)) {
    if (!previous.uploadUrl) continue;
    const headers = await authHeaders('DELETE');
    await Upload.terminate(previous.uploadUrl, { headers, retryDelays: [] }).catch(() => {});
    localStorage.removeItem(previous.urlStorageKey);
  }
}

const isFree = ({ uploadUrl }: PreviousUpload): boolean => uploadUrl !== null && !inUse.has(uploadUrl);

function metadataOf({
  file,
  parentId,
  clientId,
  conflict,
  extractZip,
  versionOf,
}: Sending): Record<string, string> {
  return {
    filename: file.name,
    original_at: originalOf(file),
    ...(parentId !== null && { parent_id: String(parentId) }),
    ...(clientId !== null && { client_id: String(clientId) }),
    ...(extractZip && { extract_zip: '1' }),
    ...(conflict === 'replace' && { conflict }),
    ...(versionOf && { version_of: String(versionOf.id) }),
  };
}

/** The created file, from the last response, or requested if that response was lost; null if it was deleted since. */
async function resultOf({ url }: Upload, lastResponse: HttpResponse | undefined): Promise<Uploaded | null> {
  try {
    const { data } = JSON.parse(lastResponse?.getBody() ?? '') as { data?: Uploaded };
    if (typeof data?.name === 'string') return data;
  } catch {
    // Requested below.
  }
  return api.get<Uploaded>(new URL(url!, location.href).pathname).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
}

function failureOf(error: Error): UploadError {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  return response ? refused(response.getStatus(), response.getBody()) : unreachable();
}

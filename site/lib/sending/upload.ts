import type { Upload } from 'tus-js-client';

/** The server refused the file; the page has a text for `code`. */
export class UploadRefused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

interface UploadRequest {
  file: File;
  /** The row, and the batch of photographs, to which the file belongs. */
  metadata: Record<string, string>;
  onProgress(percent: number): void;
  /** No answer came, and the upload is tried again. */
  onInterrupted(): void;
}

/** Delays between retries; the sum of over two minutes bridges a train's tunnel. */
const RETRY_DELAYS_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000, 60_000];
const CHUNK_BYTES = 8 * 1024 * 1024;
/** Concurrent uploads; more are no faster on a phone. */
const CONCURRENCY = 3;

let active = 0;
const waiting: (() => void)[] = [];

/** Waits for one of the upload slots. @returns a function that releases it. */
async function acquireSlot(): Promise<() => void> {
  if (active >= CONCURRENCY) await new Promise<void>((resolve) => waiting.push(resolve));
  active += 1;
  return () => {
    active -= 1;
    waiting.shift()?.();
  };
}

/** Whether a file is being uploaded, or waits for a slot. */
export const isUploading = (): boolean => active > 0;

async function startOrResume(upload: Upload): Promise<void> {
  const [previous] = await upload.findPreviousUploads();
  if (previous) upload.resumeFromPreviousUpload(previous);
  upload.start();
}

function restartWhenOnline(upload: Upload): void {
  const start = () => setTimeout(() => upload.start(), 1000);
  if (navigator.onLine) start();
  else addEventListener('online', start, { once: true });
}

/** Whether the file can still be read: one that was changed or deleted since it was chosen fails like a network that is gone. */
const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

function codeOf(body: string | undefined): string {
  try {
    return String((JSON.parse(body ?? '') as { code?: string }).code ?? 'failed');
  } catch {
    return 'failed';
  }
}

/**
 * Uploads a file in chunks (tus). An upload interrupted by the network or a page load resumes where it stopped.
 * @returns `again`: whether the same file had been sent before.
 */
export async function uploadFile(
  { address, form, max }: { address: string; form: string; max: number },
  { file, metadata, onProgress, onInterrupted }: UploadRequest,
): Promise<{ again: boolean }> {
  if (file.size === 0) throw new UploadRefused('empty');
  if (file.size > max) throw new UploadRefused('file_too_large');
  const release = await acquireSlot();
  try {
    const tus = await import('tus-js-client');
    return await new Promise((resolve, reject) => {
      const refuseUnreadable = async (): Promise<boolean> => {
        if (await isReadable(file)) return false;
        void upload.abort();
        reject(new UploadRefused('unreadable'));
        return true;
      };
      /** Continues when the network is back. */
      const goOnLater = async (): Promise<void> => {
        if (await refuseUnreadable()) return;
        onInterrupted();
        restartWhenOnline(upload);
      };
      let hasSent = false;
      const upload: Upload = new tus.Upload(file, {
        endpoint: `${address}/uploads`,
        headers: { 'x-form': form, accept: 'application/json' },
        chunkSize: CHUNK_BYTES,
        retryDelays: RETRY_DELAYS_MS,
        removeFingerprintOnSuccess: true,
        fingerprint: async () =>
          [
            'sent',
            address,
            metadata['row'],
            metadata['batch'] ?? '',
            file.name,
            file.size,
            file.lastModified,
          ].join(' '),
        metadata: {
          filename: file.name,
          ...metadata,
          original_at: new Date(file.lastModified).toISOString(),
        },
        onProgress: (sent, all) => onProgress(Math.floor((sent / Math.max(1, all)) * 100)),
        onShouldRetry(error) {
          const status = error.originalResponse?.getStatus() ?? 0;
          if (status === 0 || status >= 500) onInterrupted();
          if (status === 0) void refuseUnreadable();
          return status === 0 || status === 409 || status === 429 || status >= 500;
        },
        onError(error) {
          const response = 'originalResponse' in error ? error.originalResponse : null;
          if (response) reject(new UploadRefused(codeOf(response.getBody())));
          else void goOnLater();
        },
        onBeforeRequest(request) {
          hasSent ||= request.getMethod() === 'PATCH';
        },
        onSuccess({ lastResponse }) {
          // It had arrived for an earlier page, and may have been taken back or sent back since: sent anew, the server knows.
          if (!hasSent) {
            upload.url = null;
            upload.start();
            return;
          }
          try {
            const { data } = JSON.parse(lastResponse.getBody()) as { data?: { again?: boolean } };
            resolve({ again: data?.again === true });
          } catch {
            resolve({ again: false });
          }
        },
      });
      void startOrResume(upload);
    });
  } finally {
    release();
  }
}

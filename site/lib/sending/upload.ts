import type { Upload } from 'tus-js-client';

/** What a file was refused with, as a code that the page has words for. */
export class UploadRefused extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export interface UploadRequest {
  file: File;
  /** Of the row and the photographs that it belongs to. */
  metadata: Record<string, string>;
  onProgress(percent: number): void;
}

/** Between tries, in milliseconds: a train's tunnel is about the last. */
const RETRIES = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000, 60_000];
const CHUNK = 8 * 1024 * 1024;
/** Files at once: more make none of them faster on a phone. */
const AT_ONCE = 3;

let busy = 0;
const waiting: (() => void)[] = [];

async function turn(): Promise<() => void> {
  if (busy >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  busy += 1;
  return () => {
    busy -= 1;
    waiting.shift()?.();
  };
}

/** Whether anything is being sent, or waits to be. */
export const isUploading = (): boolean => busy > 0;

async function begin(upload: Upload): Promise<void> {
  const [before] = await upload.findPreviousUploads();
  if (before) upload.resumeFromPreviousUpload(before);
  upload.start();
}

function goOn(upload: Upload): void {
  const start = () => setTimeout(() => upload.start(), 1000);
  if (navigator.onLine) start();
  else addEventListener('online', start, { once: true });
}

function codeOf(body: string | undefined): string {
  try {
    return String((JSON.parse(body ?? '') as { code?: string }).code ?? 'failed');
  } catch {
    return 'failed';
  }
}

/**
 * Sends a file in parts, and goes on where it stopped when the network was lost or the page was loaded again.
 * @returns whether the same file had been sent before.
 */
export async function uploadFile(
  { address, form, max }: { address: string; form: string; max: number },
  { file, metadata, onProgress }: UploadRequest,
): Promise<{ again: boolean }> {
  if (file.size === 0) throw new UploadRefused('empty');
  if (file.size > max) throw new UploadRefused('file_too_large');
  const done = await turn();
  try {
    const tus = await import('tus-js-client');
    return await new Promise((resolve, reject) => {
      const upload: Upload = new tus.Upload(file, {
        endpoint: `${address}/uploads`,
        headers: { 'x-form': form, accept: 'application/json' },
        chunkSize: CHUNK,
        retryDelays: RETRIES,
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
          return status === 0 || status === 409 || status === 429 || status >= 500;
        },
        onError(error) {
          const response = 'originalResponse' in error ? error.originalResponse : null;
          if (response) reject(new UploadRefused(codeOf(response.getBody())));
          // Nobody answered at all: when there is a network again, it goes on.
          else goOn(upload);
        },
        onSuccess({ lastResponse }) {
          try {
            const { data } = JSON.parse(lastResponse.getBody()) as { data?: { again?: boolean } };
            resolve({ again: data?.again === true });
          } catch {
            resolve({ again: false });
          }
        },
      });
      void begin(upload);
    });
  } finally {
    done();
  }
}

import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { BlobId, BlobStore, RunningSums, StoredBlob, Sums } from '#storage/blobs.ts';

/**
 * Uploads whose running sums are kept in memory at the same time. For others, all parts are read again at the end.
 */
const MAX_UPLOADS = 64;
/** Running sums are dropped after so long without a new part. */
const IDLE_MS = 10 * 60_000;

interface RunningUpload {
  running: RunningSums;
  /** Bytes included in the sums. */
  received: number;
  sums: Sums | undefined;
  busy: boolean;
  idle: NodeJS.Timeout;
}

/**
 * SHA-256 and CRC-32 of whole uploads, computed while their parts are stored, so that no part has to be read again.
 */
export function createUploadSums(blobs: BlobStore) {
  const uploads = new Map<string, RunningUpload>();

  function forget(id: string): void {
    const upload = uploads.get(id);
    clearTimeout(upload?.idle);
    upload?.running.close();
    uploads.delete(id);
  }
  function begin(id: string): RunningUpload | undefined {
    if (uploads.size >= MAX_UPLOADS) return undefined;
    const idle = setTimeout(() => forget(id), IDLE_MS).unref();
    const upload = { running: blobs.runningSums(), received: 0, sums: undefined, busy: false, idle };
    uploads.set(id, upload);
    return upload;
  }

  return {
    /**
     * Stores the part at `offset`, and then calls `record`. If either fails, the upload's running sums are dropped.
     */
    async put(
      id: string,
      offset: number,
      store: (running?: RunningSums) => Promise<StoredBlob>,
      record: (part: StoredBlob) => Promise<void>,
    ): Promise<void> {
      const upload = uploads.get(id) ?? (offset === 0 ? begin(id) : undefined);
      if (!upload || upload.busy || upload.received !== offset) {
        forget(id);
        return record(await store());
      }
      upload.busy = true;
      try {
        const part = await store(upload.running);
        await record(part);
        upload.received += part.size;
        upload.sums = { sha256: part.sha256, crc32: part.crc32 };
        upload.idle.refresh();
        upload.busy = false;
      } catch (error) {
        forget(id);
        throw error;
      }
    },
    /**
     * The sums of an upload of `size` bytes; reads `parts` if its running sums were dropped. Rejects like
     * `BlobStore.get`.
     */
    async of(id: string, size: number, parts: readonly BlobId[]): Promise<Sums> {
      const upload = uploads.get(id);
      return upload?.received === size && upload.sums ? upload.sums : sumsOf(blobs, parts);
    },
    forget,
    stop(): void {
      for (const id of uploads.keys()) forget(id);
    },
  };
}

async function sumsOf(blobs: BlobStore, parts: readonly BlobId[]): Promise<Sums> {
  const hash = createHash('sha256');
  let crc = 0;
  for (const part of parts) {
    for await (const piece of await blobs.get(part)) {
      hash.update(piece as Buffer);
      crc = crc32(piece as Buffer, crc);
    }
  }
  return { sha256: hash.digest('hex'), crc32: crc };
}

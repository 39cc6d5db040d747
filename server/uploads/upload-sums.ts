import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { BlobId, BlobStore, RunningSums, StoredBlob, Sums } from '#storage/blobs.ts';

/** Uploads whose sums are kept while their parts come. The others' parts are read once more at their end. */
const AT_ONCE = 64;
/** Milliseconds without a new part after which an upload's sums are forgotten. */
const IDLE = 10 * 60_000;

interface Kept {
  running: RunningSums;
  /** Bytes of the upload that are in the sums. */
  received: number;
  sums: Sums | undefined;
  busy: boolean;
  idle: NodeJS.Timeout;
}

/** Hash and CRC of whole uploads, counted while their parts are stored, so that no part has to be read again for them. */
export function createUploadSums(blobs: BlobStore) {
  const uploads = new Map<string, Kept>();

  function forget(id: string): void {
    const kept = uploads.get(id);
    clearTimeout(kept?.idle);
    kept?.running.close();
    uploads.delete(id);
  }
  function begin(id: string): Kept | undefined {
    if (uploads.size >= AT_ONCE) return undefined;
    const idle = setTimeout(() => forget(id), IDLE).unref();
    const kept = { running: blobs.runningSums(), received: 0, sums: undefined, busy: false, idle };
    uploads.set(id, kept);
    return kept;
  }

  return {
    /**
     * Stores the part that begins at `offset`, and then lets it be recorded. What fails on the way leaves the upload
     * without sums.
     */
    async put(
      id: string,
      offset: number,
      store: (running?: RunningSums) => Promise<StoredBlob>,
      record: (part: StoredBlob) => Promise<void>,
    ): Promise<void> {
      const kept = uploads.get(id) ?? (offset === 0 ? begin(id) : undefined);
      if (!kept || kept.busy || kept.received !== offset) {
        forget(id);
        return record(await store());
      }
      kept.busy = true;
      try {
        const part = await store(kept.running);
        await record(part);
        kept.received += part.size;
        kept.sums = { sha256: part.sha256, crc32: part.crc32 };
        kept.idle.refresh();
        kept.busy = false;
      } catch (error) {
        forget(id);
        throw error;
      }
    },
    /** The sums of all `size` bytes of an upload; `parts` are read when they were not kept. Rejects as `BlobStore.get`. */
    async of(id: string, size: number, parts: readonly BlobId[]): Promise<Sums> {
      const kept = uploads.get(id);
      return kept?.received === size && kept.sums ? kept.sums : sumsOf(blobs, parts);
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

import { createHash } from 'node:crypto';
import type { BlobId, BlobStore, StoredBlob } from './blobs.ts';
import { BlobCorrupt, BlobMissing } from './blobs.ts';

/** What is on record of a blob. */
type Expected = Omit<StoredBlob, 'crc32'>;

export type Finding =
  | { id: BlobId; state: 'sound'; bytes: number }
  | { id: BlobId; state: 'missing' }
  | { id: BlobId; state: 'damaged'; why: string };

async function examine(blobs: BlobStore, { id, size, sha256 }: Expected): Promise<Finding> {
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const piece of await blobs.get(id)) {
      hash.update(piece as Buffer);
      bytes += (piece as Buffer).length;
    }
    if (bytes !== size) return { id, state: 'damaged', why: `it has ${bytes} bytes, not ${size}` };
    if (hash.digest('hex') !== sha256)
      return { id, state: 'damaged', why: 'its SHA-256 is not the recorded one' };
    return { id, state: 'sound', bytes };
  } catch (error) {
    if (error instanceof BlobMissing) return { id, state: 'missing' };
    if (error instanceof BlobCorrupt) return { id, state: 'damaged', why: error.message };
    throw error;
  }
}

/**
 * Reads every expected blob to its end and says how each was found, one after the other and in order.
 * Other errors than missing and damaged (no memory, too many open files) are thrown: they say nothing about a blob.
 */
export async function* verify(
  blobs: BlobStore,
  expected: Iterable<Expected> | AsyncIterable<Expected>,
): AsyncGenerator<Finding> {
  for await (const blob of expected) yield examine(blobs, blob);
}

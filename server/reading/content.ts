import { buffer } from 'node:stream/consumers';
import type { BlobStore } from '#storage/blobs.ts';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';

/** @returns the bytes of a content; null when they are damaged or lost. */
export async function contentOf(blobs: BlobStore, { blob_id }: { blob_id: string }): Promise<Buffer | null> {
  try {
    return await buffer(await blobs.get(blob_id));
  } catch (error) {
    if (error instanceof BlobCorrupt || error instanceof BlobMissing) return null;
    throw error;
  }
}

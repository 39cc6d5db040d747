import { buffer } from 'node:stream/consumers';
import type { OpenedFile } from '#server/documents/service.ts';
import { damaged } from '#server/http/storage-failure.ts';
import type { BlobStore } from '#storage/blobs.ts';
import { BlobCorrupt, BlobMissing } from '#storage/blobs.ts';

/** Reads a file into memory. @throws {AppError} 500 `damaged`. */
export async function contentOf(
  blobs: BlobStore,
  { blob_id, name }: Pick<OpenedFile, 'blob_id' | 'name'>,
): Promise<Buffer> {
  try {
    return await buffer(await blobs.get(blob_id));
  } catch (error) {
    if (error instanceof BlobCorrupt || error instanceof BlobMissing) {
      throw Object.assign(damaged(name), { cause: error });
    }
    throw error;
  }
}

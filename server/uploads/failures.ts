import type { Records } from '#server/records/service.ts';
import { AppError } from '#server/http/errors.ts';
import { storageFailure } from '#server/http/storage-failure.ts';
import type { BlobStore } from '#storage/blobs.ts';

/** A refusal leaves no bytes. After a fault of ours they go only if no row has come to hold them. */
export async function undo(
  { records, blobs }: { records: Pick<Records, 'knownBlobs'>; blobs: BlobStore },
  blobId: string,
  error: unknown,
): Promise<void> {
  const refused = error instanceof AppError && error.status < 500;
  if (!refused && (await records.knownBlobs([blobId])).has(blobId)) return;
  await blobs.delete(blobId);
}

/** What to tell of an error: for a full disk, that it is full. */
export const notSaved = (error: unknown): unknown => storageFailure(error, 'the file was not saved');

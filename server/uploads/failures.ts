import type { Records } from '#server/records/service.ts';
import { AppError } from '#server/http/errors.ts';
import { storageFailure } from '#server/http/storage-failure.ts';
import type { BlobStore } from '#storage/blobs.ts';

/**
 * Deletes the bytes of a failed upload. After an unexpected error the transaction may still have committed: the bytes
 * stay if a row refers to them.
 */
export async function discardFailedUpload(
  { records, blobs }: { records: Pick<Records, 'knownBlobs'>; blobs: BlobStore },
  blobId: string,
  error: unknown,
): Promise<void> {
  const refused = error instanceof AppError && error.status < 500;
  if (!refused && (await records.knownBlobs([blobId])).has(blobId)) return;
  await blobs.delete(blobId);
}

/** Replaces the error of a full disk by one that tells the user so. */
export const toUploadError = (error: unknown): unknown => storageFailure(error, 'the file was not saved');

import type { Records } from '#server/records/service.ts';
import { isCommitUnknown, storageFailure } from '#server/http/storage-failure.ts';
import type { BlobStore } from '#storage/blobs.ts';

/**
 * Deletes the bytes of a failed upload unless a row refers to them: any error may come after the transaction was committed. If it is
 * unknown whether it was, the commit may even come later. Then the bytes stay, and the daily sweep of orphans decides.
 */
export async function discardFailedUpload(
  { records, blobs }: { records: Pick<Records, 'knownBlobs'>; blobs: Pick<BlobStore, 'delete'> },
  blobId: string,
  error: unknown,
): Promise<void> {
  if (isCommitUnknown(error) || (await records.knownBlobs([blobId])).has(blobId)) return;
  await blobs.delete(blobId);
}

/** Replaces the error of a full disk by one that tells the user so. */
export const toUploadError = (error: unknown): unknown => storageFailure(error, 'the file was not saved');

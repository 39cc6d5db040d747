import type { Documents } from '#server/documents/service.ts';
import { AppError } from '#server/http/errors.ts';
import type { BlobStore } from '#storage/blobs.ts';

/** A refusal leaves no bytes. After a fault of ours they go only if no row has come to hold them. */
export async function undo(
  { documents, blobs }: { documents: Pick<Documents, 'knownBlobs'>; blobs: BlobStore },
  blobId: string,
  error: unknown,
): Promise<void> {
  const refused = error instanceof AppError && error.status < 500;
  if (!refused && (await documents.knownBlobs([blobId])).has(blobId)) return;
  await blobs.delete(blobId);
}

const FULL = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT']);

/** What to tell of an error: for a full disk, that it is full. */
export function diskFull(error: unknown): unknown {
  const full = error instanceof Error && (error.name === 'StoreFull' || FULL.has(codeOf(error)));
  if (!full) return error;
  const message =
    'The server has no room left on its disk, so the file was not saved. Tell your administrator.';
  return Object.assign(new AppError(503, 'disk_full', message), { cause: error });
}

const codeOf = (error: NodeJS.ErrnoException): string => error.code ?? '';

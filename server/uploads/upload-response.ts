import type { Extraction } from '#server/archive/extract/service.ts';
import type { Actor } from '#server/actor.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { Duplicates } from '#server/documents/duplicates/service.ts';
import { success } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';

/** A completed upload. */
export interface UploadResult {
  item: ItemView;
  /** Whether the client requested the extraction of the archive. */
  extractZip: boolean;
  /** The extraction job, if it was started before. */
  extractionId?: number | null;
  /** False if this result was returned to a client before. */
  fresh?: boolean;
}

export interface UploadResponseDependencies {
  extraction: Extraction;
  duplicates: Pick<Duplicates, 'copyOf'>;
}

/**
 * The response body of an upload: the item, with an existing copy of its content in `same_content` (or null). Starts
 * the extraction of an archive if requested.
 * @param onExtractionStarted called with the job's id.
 */
export async function uploadResponse(
  { extraction, duplicates }: UploadResponseDependencies,
  actor: Actor,
  { item, extractZip, extractionId = null, fresh = true }: UploadResult,
  onExtractionStarted: (extractionId: number) => Promise<void> = async () => {},
) {
  const file = { ...item, same_content: await duplicates.copyOf(actor, item.id) };
  const unpacking = (extraction_id: number) =>
    success({ ...file, extraction_id }, { extraction_id, message: `${item.name} uploaded, unpacking it` });
  if (extractionId !== null) return unpacking(extractionId);
  if (!fresh || !extractZip || item.file_type !== 'zip')
    return success(file, { message: `${item.name} uploaded` });
  try {
    const { id } = await extraction.start(actor, item.id, {}, { replace: true });
    await onExtractionStarted(id);
    return unpacking(id);
  } catch (error) {
    // The file is saved even if its extraction cannot start.
    if (!(error instanceof AppError)) throw error;
    return success(file, { message: `${item.name} uploaded and kept as a ZIP file. ${error.message}` });
  }
}

import type { Extraction } from '#server/archive/extract/service.ts';
import type { Actor } from '#server/actor.ts';
import type { ItemView } from '#server/documents/contract.ts';
import type { Duplicates } from '#server/documents/duplicates/service.ts';
import { success } from '#server/http/context.ts';
import { AppError } from '#server/http/errors.ts';

/** A file that has come in. */
export interface Arrival {
  item: ItemView;
  /** Whether the archive is to be unpacked. */
  extractZip: boolean;
  /** The unpacking that has begun already. */
  extractionId?: number | null;
  /** False when this was answered before. */
  fresh?: boolean;
}

/** What an answer is made with. */
export interface Answering {
  extraction: Extraction;
  duplicates: Pick<Duplicates, 'copyOf'>;
}

/**
 * The answer to an upload: the item, and in `same_content` where its content lies already or null. It begins the
 * unpacking of an archive when that was asked for; `begun` is told of it.
 */
export async function answerUpload(
  { extraction, duplicates }: Answering,
  actor: Actor,
  { item, extractZip, extractionId = null, fresh = true }: Arrival,
  begun: (extractionId: number) => Promise<void> = async () => {},
) {
  const file = { ...item, same_content: await duplicates.copyOf(actor, item.id) };
  const unpacking = (extraction_id: number) =>
    success({ ...file, extraction_id }, { extraction_id, message: `${item.name} uploaded, unpacking it` });
  if (extractionId !== null) return unpacking(extractionId);
  if (!fresh || !extractZip || item.file_type !== 'zip')
    return success(file, { message: `${item.name} uploaded` });
  try {
    const { id } = await extraction.start(actor, item.id, {}, { replace: true });
    await begun(id);
    return unpacking(id);
  } catch (error) {
    // The file is saved, whatever becomes of unpacking it.
    if (!(error instanceof AppError)) throw error;
    return success(file, { message: `${item.name} uploaded and kept as a ZIP file. ${error.message}` });
  }
}

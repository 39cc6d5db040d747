import type { Actor } from '#server/actor.ts';
import { extensionOf } from '#server/text/extension.ts';
import { ALLOWED_EXTENSIONS, unsupported } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { checkAll, invalid } from '#server/http/errors.ts';
import { parse } from '#server/http/input.ts';
import type { Scanned } from '#server/scanning/service.ts';
import { uploadFields } from './contract.ts';

/** Scans stored bytes for viruses before a file refers to them. Nobody can open a file that is not clean. */
export type Scan = (
  firmId: number,
  blob: Scanned,
  name: string,
  source: 'outside' | 'office',
) => Promise<void>;

/** A body of this size has arrived before the database could say whether it is welcome. */
const SMALL_BYTES = 256 * 1024;

/** Whether a request ends so soon that the checks in the transaction that saves its file are early enough. */
export const isSmall = (announced: number): boolean => announced > 0 && announced <= SMALL_BYTES;

/**
 * Checks before a byte is read whether the file could be saved.
 * @param bytes lower bound of the file's size.
 * @param small that the place and the storage are left to the transaction that saves the file.
 * @throws {AppError} 403; 422 on `file`, `parent_id`, `client_id`; 422 `quota_exceeded`.
 */
export async function admit(
  documents: Pick<Documents, 'checkUpload'>,
  actor: Actor,
  {
    name,
    fields,
    bytes,
    small = false,
  }: { name: string; fields: Record<string, string>; bytes: number; small?: boolean },
): Promise<void> {
  const extension = extensionOf(name.trim());
  const isAllowed = ALLOWED_EXTENSIONS.has(extension);
  await checkAll(
    () => {
      if (!isAllowed) throw invalid({ file: [unsupported(extension)] });
    },
    () => {
      const { parent_id, client_id } = parse(uploadFields, fields);
      // A refused type is reported together with a wrong place.
      return small && isAllowed ? undefined : documents.checkUpload(actor, { parent_id, client_id, bytes });
    },
  );
}

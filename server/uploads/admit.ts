import type { Actor } from '#server/actor.ts';
import { extensionOf } from '#server/text/extension.ts';
import { ALLOWED_EXTENSIONS, unsupported } from '#server/documents/contract.ts';
import { repairName } from '#server/text/file-names.ts';
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

/**
 * Checks before a byte is read whether the file could be saved.
 * @param bytes lower bound of the file's size.
 * @throws {AppError} 403; 422 on `file`, `parent_id`, `client_id`; 422 `quota_exceeded`; like `checkVersion`.
 */
export async function admit(
  documents: Pick<Documents, 'checkUpload' | 'checkVersion'>,
  actor: Actor,
  { name, fields, bytes }: { name: string; fields: Record<string, string>; bytes: number },
): Promise<void> {
  await checkAll(
    () => {
      const extension = extensionOf(name.trim());
      if (!ALLOWED_EXTENSIONS.has(extension)) throw invalid({ file: [unsupported(extension)] });
    },
    () => {
      const { parent_id, client_id, version_of } = parse(uploadFields, fields);
      if (version_of !== null)
        return documents.checkVersion(actor, { id: version_of, name: repairName(name), bytes });
      return documents.checkUpload(actor, { parent_id, client_id, bytes });
    },
  );
}

import type { Actor } from '#server/actor.ts';
import { extensionOf } from '#server/text/extension.ts';
import { ALLOWED_EXTENSIONS, unsupported } from '#server/documents/contract.ts';
import type { Documents } from '#server/documents/service.ts';
import { invalid } from '#server/http/errors.ts';
import { parse } from '#server/http/input.ts';
import type { Scanned } from '#server/scanning/service.ts';
import { uploadFields } from './contract.ts';

/** What is known of a file before its bytes. */
export interface Announced {
  name: string;
  fields: Record<string, string>;
  /** At least so many will come. */
  bytes: number;
}

/** Has stored bytes looked at for viruses, before a file refers to them: what is not clean can be opened by nobody. */
export type Scan = (
  firmId: number,
  blob: Scanned,
  name: string,
  source: 'outside' | 'office',
) => Promise<void>;

/**
 * Refuses what could not be saved, before a byte is read.
 * @throws {AppError} 403; 422 on `file`, `parent_id`, `client_id`; 422 `quota_exceeded`.
 */
export async function admit(
  documents: Pick<Documents, 'checkUpload'>,
  actor: Actor,
  { name, fields, bytes }: Announced,
): Promise<void> {
  const extension = extensionOf(name.trim());
  if (!ALLOWED_EXTENSIONS.has(extension)) throw invalid({ file: [unsupported(extension)] });
  const { parent_id, client_id } = parse(uploadFields, fields);
  await documents.checkUpload(actor, { parent_id, client_id, bytes });
}

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { AppError, invalid } from '#server/http/errors.ts';
import type { ItemView } from '../contract.ts';
import { VERSION_OF_NOTHING, otherType, versionOfDeleted } from '../contract.ts';
import { isSameType } from '../file-types/spellings.ts';
import type { Item } from '../model.ts';
import { findItem } from '../rows.ts';
import { requireUnsealed } from '../seals/guard.ts';
import { extensionOf } from '../../text/extension.ts';
import { isMadeByProgramOf, overwriteFile } from './add-item.ts';
import { describeDeletion } from './concurrent-edits.ts';
import type { ChangeDependencies } from './dependencies.ts';

/** A file of the drive, and the name of the file whose content it gets. */
export interface VersionOf {
  id: number;
  name: string;
}

/**
 * The file of which another one becomes a new version. It is meant by its id: where it is and what it is called now does
 * not matter. A program may mean only documents that it made.
 * @throws {AppError} 403; 422 `gone`, `other_type`, `sealed`. Not 404, which to an upload client means that the upload is gone.
 */
export async function requireVersionable(
  dependencies: Pick<ChangeDependencies, 'audit' | 'clock'>,
  db: Knex,
  actor: Actor,
  { id, name }: VersionOf,
): Promise<Item> {
  const item = await findItem(db, actor, id, 'documents.write').catch(async (error: unknown) => {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
    throw gone(await describeDeletion(dependencies, db, actor, id));
  });
  if (item.type !== 'file') throw gone(null);
  if (actor.program && !(await isMadeByProgramOf(db, actor, id))) throw gone(null);
  if (!isSameType(item.file_type!, extensionOf(name)))
    throw invalid({ file: [otherType(item.name, name, item.file_type!)] }, 'other_type');
  await requireUnsealed(db, actor, id);
  return item;
}

/** @param who a sentence that says who deleted the file. */
const gone = (who: string | null): AppError =>
  invalid({ file: [who === null ? VERSION_OF_NOTHING : versionOfDeleted(who)] }, 'gone');

/** Makes a content the present one of a file; the content until now becomes an earlier version. @throws {AppError} like `requireVersionable`; 422 `quota_exceeded`. */
export async function addVersion(
  dependencies: ChangeDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  of: VersionOf,
  content: Parameters<typeof overwriteFile>[4],
): Promise<ItemView> {
  const { name } = await requireVersionable(dependencies, trx, actor, of);
  const uploaded_as = of.name === name ? undefined : of.name;
  return overwriteFile(dependencies, trx, actor, of.id, { ...content, uploaded_as });
}

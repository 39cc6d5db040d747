import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { invalid } from '#server/http/errors.ts';
import { nameKey } from '#server/text/file-names.ts';
import { originalDate } from '../original-date.ts';
import { findItem } from '../rows.ts';
import { requireUnsealed } from '../seals/guard.ts';
import { moveItems } from './move.ts';
import { nameTakenError, renameItem } from './rename.ts';
import type { LinkingDependencies } from './set-client.ts';

/**
 * Moves and renames an item in one step, as file systems do, by the rules of both operations, all or nothing.
 * @throws {AppError} 404, 403; 422 on `parent_id` and `name`, 422 `sealed`, `kept`.
 */
export async function relocateItem(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { id, parent_id, name }: { id: number; parent_id: number | null; name: string },
): Promise<void> {
  const item = await findItem(trx, actor, id, 'documents.write');
  if (item.seen_parent_id !== parent_id) {
    const taken = await trx('items')
      .where({ firm_id: actor.firmId, name_key: nameKey(name) })
      .whereRaw('coalesce(parent_id, 0) = ?', [parent_id ?? 0])
      .first('id');
    if (taken) throw await nameTakenError(trx, actor, parent_id, name);
    // The item's present name may be taken in the target; the move then numbers it, and the rename below replaces
    // that name.
    const { failed } = await moveItems(dependencies, trx, actor, { ids: [id], parent_id, conflicts: 'keep' });
    if (failed[0]) throw invalid({ parent_id: [failed[0].message] }, failed[0].code);
  }
  await renameItem(dependencies, trx, actor, id, { name });
}

/**
 * Sets the original modification date of a file; an implausible date is ignored.
 * @throws {AppError} 404, 403, 422 `sealed`.
 */
export async function dateItem(
  dependencies: Pick<LinkingDependencies, 'clock'>,
  trx: Knex.Transaction,
  actor: Actor,
  id: number,
  date: string,
): Promise<void> {
  const item = await findItem(trx, actor, id, 'documents.write');
  await requireUnsealed(trx, actor, id);
  const original_at = originalDate(date, dependencies.clock());
  if (item.type !== 'file' || original_at === null || original_at === item.original_at) return;
  await trx('item_rows').where({ id }).update({ original_at });
}

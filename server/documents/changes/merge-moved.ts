import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { andVisible } from '#server/visibility/visible.ts';
import { queryRows } from '../../db/sql.ts';
import type { MoveResult } from '../contract.ts';
import { ofFirm } from '../rows.ts';
import { sealOfFolder, sealedMessage } from '../seals/guard.ts';
import type { ChangeDependencies } from './dependencies.ts';
import type { MoveRequest } from './move.ts';
import type { ChosenItem } from './remove.ts';
import { removeItems } from './remove.ts';
import { findFolderByName } from './set-aside.ts';

/** Items per statement, of which SQLite limits the bindings. */
const BATCH = 1000;
const STAYS =
  'Its contents were moved, except for what is listed here or not shown to you. That stays in it.';
const EMPTY = 'Its contents were moved. The empty folder stays, since you may not delete anything.';

/**
 * Moves what a folder contains into the folder of its name in the target, with folders inside merged in the same way and files of a taken
 * name numbered. The emptied folder is deleted, with its links; to Trash if it has notes. Without such a folder it is moved, with a number.
 * @param move moves the contents, and merges folders among them.
 */
export async function mergeIntoNamesake(
  dependencies: Pick<ChangeDependencies, 'audit' | 'clock' | 'trashDays'>,
  trx: Knex.Transaction,
  actor: Actor,
  { id, name }: Pick<ChosenItem, 'id' | 'name'>,
  { parent_id }: Pick<MoveRequest, 'parent_id'>,
  move: (request: MoveRequest) => Promise<MoveResult>,
): Promise<MoveResult> {
  const there = await findFolderByName(trx, actor, { parent_id, name });
  if (!there) return move({ ids: [id], parent_id, conflicts: 'keep' });
  const result: MoveResult = { done: [], failed: [], former: [], merged: [], later: false };
  const seal = await sealOfFolder(trx, actor, there.id);
  if (seal) {
    result.failed.push({ id, name, message: sealedMessage(seal), code: 'sealed' });
    return result;
  }
  const inside = await queryRows<{ id: number }>(
    trx,
    `SELECT id FROM items WHERE parent_id = ? AND ${ofFirm('items')}${andVisible(actor)} ORDER BY id`,
    [id, actor.firmId],
  );
  for (let from = 0; from < inside.length; from += BATCH) {
    const ids = inside.slice(from, from + BATCH).map((item) => item.id);
    const { failed, former, later } = await move({ ids, parent_id: there.id, conflicts: 'merge' });
    result.failed.push(...failed);
    result.former.push(...former);
    result.later ||= later;
  }
  const staying = await trx('items').where({ parent_id: id, firm_id: actor.firmId }).first('id');
  const removal = !staying && may(actor, 'documents.delete');
  const noted = await trx('notes').where({ item_id: id }).first('id');
  // Empty folders would only fill Trash.
  const removed = removal
    ? await removeItems(dependencies, trx, actor, { ids: [id] }, noted ? {} : { forGood: true })
    : null;
  if (!removed) result.failed.push({ id, name, message: staying ? STAYS : EMPTY });
  else {
    result.failed.push(...removed.failed);
    result.done.push(...removed.done);
    result.merged.push(...removed.done);
  }
  return result;
}

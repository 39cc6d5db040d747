import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { andVisible } from '#server/visibility/visible.ts';
import { queryRows } from '../../db/sql.ts';
import type { BulkResult, MoveResult } from '../contract.ts';
import { ofFirm } from '../rows.ts';
import { sealOfFolder, sealedMessage } from '../seals/guard.ts';
import { below } from '../tree.ts';
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

type Folder = Pick<ChosenItem, 'id' | 'name'>;
/** `emptied`: merged folders, which still exist; their emptied subfolders are in them. */
export type MoveOutcome = MoveResult & { emptied: Folder[] };

export const nothingMoved = (): MoveOutcome => ({
  done: [],
  failed: [],
  former: [],
  later: false,
  clients: [],
  moved: [],
  merged: [],
  emptied: [],
});

// One by one, since a list may be longer than a call may have arguments.
function append<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

/** Adds the outcome of a further move to another one. */
export function addOutcome(to: MoveOutcome, more: MoveOutcome): void {
  append(to.done, more.done);
  append(to.failed, more.failed);
  append(to.former, more.former);
  append(to.moved, more.moved);
  append(to.merged, more.merged);
  append(to.emptied, more.emptied);
  to.later ||= more.later;
  to.clients = [...new Set([...to.clients, ...more.clients])];
}

/**
 * Moves what a folder contains into the folder of its name in the target, with folders inside merged in the same way and
 * files of a taken name numbered. Without such a folder it is moved, with a number.
 * @param move moves the contents, and merges folders among them.
 */
export async function mergeIntoNamesake(
  trx: Knex.Transaction,
  actor: Actor,
  { id, name }: Folder,
  { parent_id }: Pick<MoveRequest, 'parent_id'>,
  move: (request: MoveRequest) => Promise<MoveOutcome>,
): Promise<MoveOutcome> {
  const there = await findFolderByName(trx, actor, { parent_id, name });
  if (!there) return move({ ids: [id], parent_id, conflicts: 'keep' });
  const result = nothingMoved();
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
    addOutcome(result, { ...(await move({ ids, parent_id: there.id, conflicts: 'merge' })), done: [] });
  }
  const emptied = new Set(result.emptied.map((folder) => folder.id));
  const left: number[] = await trx('items').where({ parent_id: id, firm_id: actor.firmId }).pluck('id');
  if (left.every((item) => emptied.has(item))) result.emptied = [{ id, name }];
  else result.failed.push({ id, name, message: STAYS });
  return result;
}

/**
 * Deletes emptied folders with their links, and with their emptied subfolders: to Trash, from which undo brings them back.
 * @param unnoted `delete` deletes for good those without notes, in them or in their subfolders.
 */
export async function removeEmptied(
  dependencies: Pick<ChangeDependencies, 'audit' | 'clock' | 'trashDays'>,
  trx: Knex.Transaction,
  actor: Actor,
  folders: readonly Folder[],
  unnoted: 'trash' | 'delete' = 'trash',
): Promise<BulkResult> {
  const result: BulkResult = { done: [], failed: [] };
  if (!may(actor, 'documents.delete')) {
    for (const { id, name } of folders) result.failed.push({ id, name, message: EMPTY });
    return result;
  }
  for (const { id } of folders) {
    const forGood = unnoted === 'delete' && !(await hasNotes(trx, id));
    const { done, failed } = await removeItems(
      dependencies,
      trx,
      actor,
      { ids: [id] },
      forGood ? { forGood } : {},
    );
    result.done.push(...done);
    result.failed.push(...failed);
  }
  return result;
}

/** Whether a folder or something in it has notes. */
async function hasNotes(trx: Knex.Transaction, id: number): Promise<boolean> {
  const tree = below([id]);
  const sql = `${tree.sql} SELECT 1 FROM notes WHERE item_id IN (SELECT id FROM below) LIMIT 1`;
  return (await queryRows(trx, sql, tree.bindings)).length > 0;
}

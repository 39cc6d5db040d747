import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { queryRows } from '#server/db/sql.ts';
import { findUnderLegalHold } from '../legal-holds/guard.ts';
import { keptAmong } from '../retention/guard.ts';
import { sealsBelow, sealsOver } from '../seals/guard.ts';
import { below } from '../tree.ts';
import type { ChangeDependencies } from './dependencies.ts';
import { deleteWithoutTrash, removeItems } from './remove.ts';

/** Whether a folder holds only what was added, nobody has worked on any of it since, and no rule or hold keeps it. */
async function isUntouched(
  trx: Knex.Transaction,
  actor: Actor,
  top: number,
  added: ReadonlySet<number>,
  now: Date,
): Promise<boolean> {
  const tree = below([top]);
  const rows = await queryRows<{ id: number; saved: number | boolean }>(
    trx,
    `${tree.sql} SELECT id, (type = 'file' AND modified_at <> created_at) AS saved
     FROM item_rows WHERE id IN (SELECT id FROM below)`,
    tree.bindings,
  );
  if (rows.some(({ id, saved }) => !added.has(id) || saved)) return false;
  if ((await keptAmong(trx, actor.firmId, [top], now)).size > 0) return false;
  if ((await findUnderLegalHold(trx, actor.firmId, [top])).size > 0) return false;
  return (await sealsOver(trx, actor, [top])).size === 0 && (await sealsBelow(trx, actor, [top])).size === 0;
}

/**
 * Deletes a folder for good that an action has begun to fill, and could not complete: as after an upload that fails,
 * nothing is to stay. All of it is new, so it needs no right to delete. Once somebody has worked in it, or a retention rule
 * or legal hold keeps something of it, it is deleted like any other folder instead, or stays as such a folder does.
 * @param added ids of everything that the action has added, the folder's own among them.
 */
export async function undoAdded(
  dependencies: Pick<ChangeDependencies, 'audit' | 'clock' | 'trashDays'>,
  trx: Knex.Transaction,
  actor: Actor,
  top: number,
  added: ReadonlySet<number>,
): Promise<void> {
  const folder = (await trx('items').where({ id: top, firm_id: actor.firmId }).first('name', 'parent_id')) as
    { name: string; parent_id: number | null } | undefined;
  if (!folder) return;
  if (!(await isUntouched(trx, actor, top, added, dependencies.clock()))) {
    await removeItems(dependencies, trx, actor, { ids: [top] });
    return;
  }
  const weight = await deleteWithoutTrash(trx, [top]);
  await dependencies.audit.record(trx, {
    actor,
    did: 'document.delete',
    concerns: { items: [top], parents: [folder.parent_id] },
    subject: `item:${top}`,
    detail: {
      chosen: 1,
      ids: [top],
      names: [folder.name],
      files: weight.reduce((sum, { file_type, files }) => sum + (file_type === '' ? 0 : files), 0),
      bytes: weight.reduce((sum, { bytes }) => sum + bytes, 0),
    },
  });
}

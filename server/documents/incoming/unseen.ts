import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, boundIdRows, execute, bindList, queryRow, queryRows } from '#server/db/sql.ts';
import type { ItemView } from '../contract.ts';

/** Marks a file received from outside the firm as new until a user of the firm opens, changes or judges it. */
export async function markUnseen(trx: Knex.Transaction, firmId: number, id: number): Promise<void> {
  await trx('unseen_items').insert({ item_id: id, firm_id: firmId }).onConflict('item_id').ignore();
}

/** Removes the mark: a user of the firm has opened or changed these items, or judged what they answer. */
export const markSeen = (trx: Knex.Transaction, ids: readonly number[]): Promise<unknown> =>
  execute(trx, `DELETE FROM unseen_items WHERE item_id IN (${BOUND_IDS})`, [bindList(ids)]);

/** The given items that were received from outside and that no user of the firm has opened or changed yet. */
export async function unseenOf(
  db: Knex,
  { firmId }: Pick<Actor, 'firmId'>,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const any = await queryRow(db, 'SELECT 1 AS there FROM unseen_items WHERE firm_id = ? LIMIT 1', [firmId]);
  if (!any) return [];
  const rows = await queryRows<{ item_id: number }>(
    db,
    `SELECT u.item_id FROM ${boundIdRows('wanted')} CROSS JOIN unseen_items u ON u.item_id = wanted.value
     WHERE u.firm_id = ?`,
    [bindList(ids), firmId],
  );
  return rows.map(({ item_id }) => item_id);
}

/** Adds `is_new` to the views of unseen items. */
export async function withUnseen<View extends ItemView>(
  db: Knex,
  actor: Pick<Actor, 'firmId'>,
  views: View[],
): Promise<View[]> {
  const ids = new Set(
    await unseenOf(
      db,
      actor,
      views.map(({ id }) => id),
    ),
  );
  return ids.size === 0 ? views : views.map((view) => (ids.has(view.id) ? { ...view, is_new: true } : view));
}

/** A condition on items: unseen (binding: firm id). */
export const IS_UNSEEN = 'id IN (SELECT item_id FROM unseen_items WHERE firm_id = ?)';

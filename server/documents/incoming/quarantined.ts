import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { boundIdRows, bindList, queryRow, queryRows } from '#server/db/sql.ts';
import type { HeldBack, ItemView } from '../contract.ts';

/** Adds `held_back` to the views of files in quarantine. */
export async function withQuarantineState<View extends ItemView>(
  db: Knex,
  { firmId }: Pick<Actor, 'firmId'>,
  views: View[],
): Promise<View[]> {
  if (views.length === 0) return views;
  const any = await queryRow(db, 'SELECT 1 AS there FROM quarantined_blobs WHERE firm_id = ? LIMIT 1', [
    firmId,
  ]);
  if (!any) return views;
  const rows = await queryRows<{ id: number; state: HeldBack }>(
    db,
    `SELECT i.id, q.state FROM ${boundIdRows('wanted')} CROSS JOIN items i ON i.id = wanted.value
     CROSS JOIN quarantined_blobs q ON q.blob_id = i.blob_id
     WHERE i.firm_id = ? AND q.firm_id = ? AND q.state <> 'released'`,
    [bindList(views.map(({ id }) => id)), firmId, firmId],
  );
  const held = new Map(rows.map(({ id, state }) => [id, state]));
  return views.map((view) => {
    const state = held.get(view.id);
    return state ? { ...view, held_back: state } : view;
  });
}

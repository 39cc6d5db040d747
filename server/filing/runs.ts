import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { FiledItem } from '#server/documents/service.ts';
import { BOUND_IDS, bindList, execute, queryRows } from '#server/db/sql.ts';
import type { FilingRun } from './contract.ts';

interface RunRow {
  id: number;
  firm_id: number;
  user_id: number;
  by_itself: boolean | number;
  made_at: string;
  undone_at: string | null;
}

/** Records a filed document in a run, creating the run for the first one. @returns the run's id. */
export async function recordFiled(
  trx: Knex.Transaction,
  { firmId, userId }: Pick<Actor, 'firmId' | 'userId'>,
  {
    run,
    filed,
    folders,
    at,
    byItself,
  }: {
    run: number | null;
    filed: FiledItem;
    /** The folders that were made for it. */
    folders: readonly number[];
    at: string;
    byItself: boolean;
  },
): Promise<number> {
  let id = run;
  if (id === null) {
    const row = { firm_id: firmId, user_id: userId, by_itself: byItself, made_at: at };
    const [created]: { id: number }[] = await trx('filing_runs').insert(row).returning('id');
    ({ id } = created!);
  }
  const { from, to } = filed;
  await trx('filed_items').insert({
    run_id: id,
    item_id: filed.id,
    from_parent: from.parent_id,
    from_name: from.name,
    from_client: from.client_id,
    to_parent: to.parent_id,
    to_name: to.name,
    to_client: to.client_id,
  });
  if (folders.length > 0)
    await trx('filed_folders').insert(folders.map((item_id) => ({ run_id: id, item_id })));
  return id;
}

export const runOf = (db: Knex, { firmId, userId }: Actor, id: number): Promise<RunRow | undefined> =>
  db('filing_runs').where({ id, firm_id: firmId, user_id: userId }).first();

/**
 * Records which documents of a run were restored. If some could not be, the run stays with them, so that it can be undone
 * later, and the restored ones become an undone run of their own.
 */
export async function recordUndone(
  trx: Knex.Transaction,
  run: RunRow,
  { restored, isAll, at }: { restored: readonly number[]; isAll: boolean; at: string },
): Promise<void> {
  if (isAll) {
    await trx('filing_runs').where({ id: run.id }).update({ undone_at: at });
    return;
  }
  const { id, ...copied } = run;
  const [undone]: { id: number }[] = await trx('filing_runs')
    .insert({ ...copied, undone_at: at })
    .returning('id');
  await execute(trx, `UPDATE filed_items SET run_id = ? WHERE run_id = ? AND item_id IN (${BOUND_IDS})`, [
    undone!.id,
    id,
    bindList(restored),
  ]);
}

/** The folders that a run made, inner ones first, without those that became inboxes. */
export const foldersMadeIn = (db: Knex, run: number): Promise<number[]> =>
  db('filed_folders')
    .where({ run_id: run })
    .whereNotIn('item_id', db('filing_inboxes').select('folder_id'))
    .orderBy('item_id', 'desc')
    .pluck('item_id');

/** The documents filed in a run, last first. */
export async function filedIn(db: Knex, run: number): Promise<FiledItem[]> {
  const rows = await db('filed_items').where({ run_id: run }).orderBy('item_id', 'desc');
  return rows.map((row) => ({
    id: row.item_id,
    from: { parent_id: row.from_parent, name: row.from_name, client_id: row.from_client },
    to: { parent_id: row.to_parent, name: row.to_name, client_id: row.to_client },
  }));
}

/** The user's own runs, newest first, each with its first document. */
export const runsOf = async (
  db: Knex,
  { firmId, userId }: Actor,
  limit: number,
): Promise<(Omit<FilingRun, 'name'> & { first: number | null })[]> => {
  const rows = await queryRows<{
    id: number;
    made_at: string;
    by_itself: number;
    undone_at: string | null;
    files: number;
    first: number | null;
  }>(
    db,
    `SELECT r.id, r.made_at, r.by_itself, r.undone_at, (SELECT count(*) FROM filed_items f WHERE f.run_id = r.id) AS files,
       (SELECT min(f.item_id) FROM filed_items f WHERE f.run_id = r.id) AS first
     FROM filing_runs r WHERE r.firm_id = ? AND r.user_id = ? ORDER BY r.id DESC LIMIT ?`,
    [firmId, userId, limit],
  );
  return rows.map(({ id, made_at, by_itself, undone_at, files, first }) => ({
    id,
    at: made_at,
    by_itself: Boolean(by_itself),
    files,
    first,
    undone: undone_at !== null,
  }));
};

/** Those items of which a filing was undone: automatic filing leaves them alone. */
export async function undoneItems(db: Knex, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await queryRows<{ item_id: number }>(
    db,
    `SELECT f.item_id FROM filed_items f JOIN filing_runs r ON r.id = f.run_id
     WHERE f.item_id IN (${BOUND_IDS}) AND r.undone_at IS NOT NULL`,
    [bindList(ids)],
  );
  return new Set(rows.map(({ item_id }) => item_id));
}

import type { Knex } from 'knex';
import { execute, queryRows, valueRows } from './sql.ts';

/**
 * The full-text index of items by the grams of their names, in SQLite's FTS5: nobody else knows how it is kept. What
 * the grams are and how a question is asked of them is `search/grams.ts`'s.
 */

/** Selects the `id` of the items whose grams match the question that it is bound to. */
export const MATCHING = 'SELECT rowid AS id FROM item_search WHERE item_search MATCH ?';

/** As `MATCHING`, of the items `i` that a condition lets through; '' lets all. */
export const matchingWhere = (condition: string): string =>
  condition === ''
    ? MATCHING
    : `SELECT i.id FROM item_search CROSS JOIN items i
       WHERE item_search MATCH ? AND i.id = item_search.rowid AND ${condition}`;

/**
 * As `MATCHING`, the newest items first, and with `among` only of those that it selects: FTS5 walks backwards and stops
 * at the limit, however many match.
 */
export const newestMatching = (limit: number, among?: string): string =>
  `${MATCHING}${among ? ` AND +rowid IN (${among})` : ''} ORDER BY rowid DESC LIMIT ${limit}`;

/** As `newestMatching`, of the items `i` that a condition lets through; '' lets all. */
export const newestWhere = (limit: number, condition: string): string =>
  condition === ''
    ? newestMatching(limit)
    : `${matchingWhere(condition)} ORDER BY item_search.rowid DESC LIMIT ${limit}`;

/** Columns of the newest of a firm's items `i` that match and that a condition lets through; '' lets all. CROSS JOIN keeps SQLite from reading the whole firm first. */
export const newestItems = <T>(
  db: Knex,
  columns: string,
  {
    firmId,
    question,
    limit,
    condition,
  }: { firmId: number; question: string; limit: number; condition: string },
): Promise<T[]> =>
  queryRows(
    db,
    `SELECT ${columns} FROM item_search CROSS JOIN items i
     WHERE item_search MATCH ? AND i.id = item_search.rowid AND i.firm_id = ?${condition && ` AND ${condition}`}
     ORDER BY item_search.rowid DESC LIMIT ?`,
    [question, firmId, limit],
  );

export async function addEntries(
  trx: Knex.Transaction,
  entries: readonly { id: number; grams: string }[],
): Promise<void> {
  await execute(
    trx,
    `INSERT INTO item_search (rowid, grams) VALUES ${valueRows(entries, 2)}`,
    entries.flatMap(({ id, grams }) => [id, grams]),
  );
}

export async function removeEntries(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  await trx('item_search').whereIn('rowid', ids).delete();
}

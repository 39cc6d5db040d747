import type { Knex } from 'knex';
import { createAdaptiveBatches } from './adaptive-batches.ts';
import { execute, queryManyRows, queryRow, queryRows, valueRows } from './sql.ts';

/**
 * The full-text index of items by the grams of their names, in SQLite's FTS5: nobody else knows how it is kept. What
 * the grams are and how a question is asked of them is `search/grams.ts`'s.
 */

/** Selects the `id` of the items whose grams match the question that it is bound to. */
export const MATCHING = 'SELECT rowid AS id FROM item_search WHERE item_search MATCH ?';

/** The id of an entry, in the conditions of the questions below. */
export const FOUND_ID = 'item_search.rowid';

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

/** For each of the questions, in one statement, the ids that `newestWhere` selects. */
export async function newestOfEach(
  db: Knex,
  questions: readonly string[],
  limit: number,
  condition: string,
): Promise<number[][]> {
  if (questions.length === 0) return [];
  const one = `json((SELECT json_group_array(id) FROM (${newestWhere(limit, condition)}) AS newest))`;
  const row = await queryRow<{ made: string }>(
    db,
    `SELECT json_array(${questions.map(() => one).join(', ')}) AS made`,
    questions,
  );
  return JSON.parse(row!.made) as number[][];
}

/** Columns of the newest of a firm's items `i` that match and that a condition lets through; '' lets all. CROSS JOIN keeps SQLite from reading the whole firm first. */
export const newestItems = <T>(
  db: Knex,
  columns: readonly (keyof T & string)[],
  {
    firmId,
    question,
    limit,
    condition,
  }: { firmId: number; question: string; limit: number; condition: string },
): Promise<T[]> =>
  queryManyRows(
    db,
    columns,
    `SELECT ${columns.map((column) => `i.${column}`).join(', ')} FROM item_search CROSS JOIN items i
     WHERE item_search MATCH ? AND i.id = item_search.rowid AND i.firm_id = ?${condition && ` AND ${condition}`}
     ORDER BY item_search.rowid DESC LIMIT ?`,
    [question, firmId, limit],
  );

/** What lies in folders in Trash and matches, with the deleted folder, the newest `limit`, however many match elsewhere. */
export const newestInTrash = (
  db: Knex,
  { firmId, question, limit }: { firmId: number; question: string; limit: number },
): Promise<{ id: number; root: number; name: string; parent_id: number }[]> =>
  queryRows(
    db,
    `SELECT i.id, h.trash AS root, i.name, i.parent_id FROM item_search
     CROSS JOIN hidden_items h CROSS JOIN item_rows i
     WHERE item_search MATCH ? AND h.item_id = item_search.rowid AND h.trash IS NOT NULL AND h.trash <> h.item_id
       AND i.id = h.item_id AND i.firm_id = ? ORDER BY item_search.rowid DESC LIMIT ?`,
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

/** From here on FTS5 numbers the pages that say which entries were removed; below stand the grams. */
const REMOVED_FROM = 2 ** 53;

/** Whether grams of removed entries may still stand in the index: FTS5 only notes what is removed. */
export const holdsRemoved = async (db: Knex, index: FullTextIndex = 'item_search'): Promise<boolean> =>
  (await queryRow(db, `SELECT id FROM ${index}_data WHERE id >= ? LIMIT 1`, [REMOVED_FROM])) !== undefined;

/** The index of names, and that of what documents say. */
type FullTextIndex = 'item_search' | 'document_text_search';

/**
 * Writes the index anew without the grams of what was removed, in short steps between which others write. What is
 * removed meanwhile may be left for the next time.
 * @returns how many steps it took.
 */
export async function dropRemoved(
  db: Knex,
  signal?: AbortSignal,
  index: FullTextIndex = 'item_search',
): Promise<number> {
  if (!(await holdsRemoved(db, index))) return 0;
  const paced = createAdaptiveBatches();
  const merge = (pages: number): Promise<number> =>
    db.transaction(async (trx) => {
      const before = await changesOf(trx);
      await execute(trx, `INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`, [pages]);
      return (await changesOf(trx)) - before;
    });
  // With a negative number all of the index becomes one merge, which positive ones then carry on.
  let changes = await paced((pages) => merge(-pages));
  let steps = 1;
  // As FTS5's documentation says: a step that changes less than two rows had nothing to do.
  for (; changes >= 2 && !signal?.aborted; steps += 1) changes = await paced(merge);
  return steps;
}

/** How many rows the connection has changed since it was opened; asked in a transaction, or another one answers. */
const changesOf = async (trx: Knex): Promise<number> =>
  (await queryRow<{ changes: number }>(trx, 'SELECT total_changes() AS changes'))!.changes;

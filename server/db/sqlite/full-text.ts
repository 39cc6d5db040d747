import type { Knex } from 'knex';
import { createAdaptiveBatches } from '../adaptive-batches.ts';
import type { Newest } from '../full-text.ts';
import type { FullTextIndex } from '../words.ts';
import { execute, queryRow, valueRows } from '../sql.ts';

// For `../full-text.ts`, where it is told what these do.

export const ENTRY = 'item_search.rowid';
export const MATCH = 'item_search MATCH ?';

/** FTS5 walks backwards and stops at the limit, however many match. CROSS JOIN keeps SQLite from reading the whole firm first. */
export const newest = ({ columns, limit, condition }: Newest): string =>
  condition === ''
    ? `SELECT ${ENTRY} AS id FROM item_search WHERE ${MATCH} ORDER BY ${ENTRY} DESC LIMIT ${limit}`
    : `SELECT ${columns.map((column) => `i.${column}`).join(', ')} FROM item_search CROSS JOIN items i
       WHERE ${MATCH} AND i.id = ${ENTRY} AND ${condition} ORDER BY ${ENTRY} DESC LIMIT ${limit}`;

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

export const holdsRemoved = async (db: Knex, index: FullTextIndex = 'item_search'): Promise<boolean> =>
  (await queryRow(db, `SELECT id FROM ${index}_data WHERE id >= ? LIMIT 1`, [REMOVED_FROM])) !== undefined;

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

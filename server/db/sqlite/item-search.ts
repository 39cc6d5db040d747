import type { Knex } from 'knex';
import { createAdaptiveBatches } from '../adaptive-batches.ts';
import type { NewestQuery } from '../item-search.ts';
import type { FullTextIndex } from '../sql-fragments.ts';
import { execute, queryRow, valueRows } from '../sql.ts';

// The SQLite side of `../item-search.ts`, which documents these functions.

export const ENTRY = 'item_search.rowid';
export const MATCH = 'item_search MATCH ?';

/** FTS5 scans backwards and stops at the limit, however many entries match. CROSS JOIN keeps SQLite from reading all items of the firm first. */
export const newest = ({ columns, limit, condition }: NewestQuery): string =>
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

/** The lowest id of FTS5's pages that mark entries as removed; those of the grams are lower. */
const FIRST_REMOVED_PAGE = 2 ** 53;

/** Whether the index may still contain grams of removed entries. */
const hasRemovedGrams = async (db: Knex, index: FullTextIndex = 'item_search'): Promise<boolean> =>
  (await queryRow(db, `SELECT id FROM ${index}_data WHERE id >= ? LIMIT 1`, [FIRST_REMOVED_PAGE])) !==
  undefined;

export async function purgeRemovedGrams(
  db: Knex,
  signal?: AbortSignal,
  index: FullTextIndex = 'item_search',
): Promise<number> {
  if (!(await hasRemovedGrams(db, index))) return 0;
  const inBatches = createAdaptiveBatches();
  const merge = (pages: number): Promise<number> =>
    db.transaction(async (trx) => {
      const before = await changesOf(trx);
      await execute(trx, `INSERT INTO ${index} (${index}, rank) VALUES ('merge', ?)`, [pages]);
      return (await changesOf(trx)) - before;
    });
  // A negative number starts a merge of the whole index, which positive numbers then continue.
  let changes = await inBatches((pages) => merge(-pages));
  let steps = 1;
  // According to FTS5's documentation, a step that changes fewer than two rows had nothing to do.
  for (; changes >= 2 && !signal?.aborted; steps += 1) changes = await inBatches(merge);
  return steps;
}

/** The rows changed by this connection since it was opened. It takes a transaction, so that the same connection answers. */
const changesOf = async (trx: Knex): Promise<number> =>
  (await queryRow<{ changes: number }>(trx, 'SELECT total_changes() AS changes'))!.changes;

import type { Knex } from 'knex';
import { onPostgres } from './dialect.ts';
import * as postgres from './postgres/item-search.ts';
import { checkOnly, fragments, queryManyRows, queryRow, queryRows } from './sql.ts';
import * as sqlite from './sqlite/item-search.ts';

/** The parameters of a statement that selects the newest matching items; it is bound to the match expression. */
export interface NewestQuery {
  /** Columns of `items i`. */
  columns: readonly string[];
  limit: number;
  /** An SQL condition on `items i`; '' for none. */
  condition: string;
}

/**
 * The full-text index of items by the grams of their names (table `item_search`), in SQLite's FTS5 or PostgreSQL's GIN. Only this
 * module knows how it is stored. `search/grams.ts` makes the grams and the match expressions.
 */
const index = onPostgres ? postgres : sqlite;

/** The column with the id of an entry, for conditions in the statements below. */
export const ENTRY_ID = index.ENTRY;

/** Selects the `id` of the items whose grams match the bound expression. */
export const MATCHING = `SELECT ${ENTRY_ID} AS id FROM item_search WHERE ${index.MATCH}`;

/** Like `MATCHING`, restricted to the items `i` that meet a condition; '' for none. */
export const matchingWhere = (condition: string): string =>
  condition === ''
    ? MATCHING
    : `SELECT i.id FROM item_search CROSS JOIN items i
       WHERE ${index.MATCH} AND i.id = ${ENTRY_ID} AND ${condition}`;

/** Like `MATCHING`, the newest items first; restricted to the ids that `selection` selects, if given. */
export const newestMatching = (limit: number, selection?: string): string =>
  selection
    ? `${MATCHING} AND ${checkOnly(ENTRY_ID)} IN (${selection}) ORDER BY ${ENTRY_ID} DESC LIMIT ${limit}`
    : newestWhere(limit, '');

/** Like `MATCHING`, the newest of the items `i` that meet a condition; '' for none. */
export const newestWhere = (limit: number, condition: string): string =>
  index.newest({ columns: ['id'], limit, condition });

/** The ids that `newestWhere` selects, for several match expressions in one statement. */
export async function newestOfEach(
  db: Knex,
  matchExpressions: readonly string[],
  limit: number,
  condition: string,
): Promise<number[][]> {
  if (matchExpressions.length === 0) return [];
  const subquery = `(SELECT ${fragments.jsonOf('id')} FROM (${newestWhere(limit, condition)}) AS newest)`;
  const row = await queryRow<{ json: string }>(
    db,
    `SELECT ${fragments.jsonArray(matchExpressions.map(() => subquery))} AS json`,
    matchExpressions,
  );
  return JSON.parse(row!.json) as number[][];
}

/** The newest items of a firm that match an expression and meet a condition on `items i`; '' for none. */
export const newestItems = <T>(
  db: Knex,
  columns: readonly (keyof T & string)[],
  {
    firmId,
    matchExpression,
    limit,
    condition,
  }: { firmId: number; matchExpression: string; limit: number; condition: string },
): Promise<T[]> => {
  const inFirm = `i.firm_id = ${Number(firmId)}${condition && ` AND ${condition}`}`;
  return queryManyRows(db, columns, index.newest({ columns, limit, condition: inFirm }), [matchExpression]);
};

/** The newest matching items inside folders in Trash; `root` is the id of the deleted folder. */
export const newestInTrash = (
  db: Knex,
  { firmId, matchExpression, limit }: { firmId: number; matchExpression: string; limit: number },
): Promise<{ id: number; root: number; name: string; parent_id: number }[]> =>
  queryRows(
    db,
    `SELECT i.id, h.trash AS root, i.name, i.parent_id FROM item_search
     CROSS JOIN hidden_items h CROSS JOIN item_rows i
     WHERE ${index.MATCH} AND h.item_id = ${ENTRY_ID} AND h.trash IS NOT NULL AND h.trash <> h.item_id
       AND i.id = h.item_id AND i.firm_id = ? ORDER BY ${ENTRY_ID} DESC LIMIT ?`,
    [matchExpression, firmId, limit],
  );

/** Inserts new entries. */
export const addEntries = index.addEntries;
export const removeEntries = index.removeEntries;

/**
 * Rewrites the index without the grams of removed entries, which FTS5 only marks, in short transactions between which others can
 * write. Entries that are removed meanwhile may be left for the next time.
 * @returns the number of transactions.
 */
export const purgeRemovedGrams = index.purgeRemovedGrams;

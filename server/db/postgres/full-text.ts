import type { Knex } from 'knex';
import { execute } from '../sql.ts';
import type { Newest } from '../full-text.ts';
import type { FullTextIndex } from '../words.ts';

// For `../full-text.ts`, where it is told what these do.

export const ENTRY = 'item_search.id';

/** The question is FTS5's, with AND, OR and NOT between grams in quotation marks; the function is of the tables' making. */
export const MATCH = 'item_search.grams @@ asked_names(?)';

/** Of the firm's newest entries, so many tell whether very many match. */
const TELLING = 500;
/** If so many of them do, the newest are sooner walked than all are found and sorted: */
const COMMON = 10;
/** at most so many entries for each that is wanted, and so many in all. */
const NEAR = 50;
const WALKED = 50_000;

/**
 * GIN finds all that matches, in no order. Where very many match, the newest of them are among the firm's newest entries: then these are
 * walked, and all is asked for only when that finds too few.
 */
export function newest({ columns, limit, condition }: Newest): string {
  const matches = 'grams @@ (SELECT q FROM asked)';
  const out = columns.map((column) => `i.${column}`).join(', ');
  const from = (found: string) =>
    condition === ''
      ? `SELECT ${ENTRY} AS id FROM ${found} AS item_search ORDER BY ${ENTRY} DESC LIMIT ${limit}`
      : `SELECT ${out} FROM ${found} AS item_search CROSS JOIN items i
         WHERE i.id = ${ENTRY} AND ${condition} ORDER BY ${ENTRY} DESC LIMIT ${limit}`;
  const last = (most: number, when = '') =>
    `(SELECT id, grams FROM item_search WHERE firm = (SELECT firm FROM asked)${when} ORDER BY id DESC LIMIT ${most}) AS last`;
  const walked = last(Math.min(NEAR * limit, WALKED), ' AND (SELECT common FROM told)');
  return `WITH asked AS MATERIALIZED (
      SELECT asked_names(one) AS q, asked_firm(one) AS firm FROM (SELECT ?::text AS one) AS given
    ), told AS MATERIALIZED (
      SELECT count(*) >= ${COMMON} AS common FROM ${last(TELLING)} WHERE ${matches}
    ), near AS MATERIALIZED (${from(`(SELECT id FROM ${walked} WHERE ${matches})`)}),
    enough AS MATERIALIZED (SELECT count(*) = ${limit} AS all_found FROM near)
    SELECT * FROM near WHERE (SELECT all_found FROM enough)
    UNION ALL (${from(`(SELECT id FROM (
      SELECT id FROM item_search WHERE NOT (SELECT all_found FROM enough) AND ${matches} OFFSET 0
    ) AS every ORDER BY id DESC OFFSET 0)`)})`;
}

export async function addEntries(
  trx: Knex.Transaction,
  entries: readonly { id: number; grams: string }[],
): Promise<void> {
  const row = "(?, array_to_tsvector(string_to_array(?, ' ')))";
  await execute(
    trx,
    `INSERT INTO item_search (id, grams) VALUES ${entries.map(() => row).join(', ')}`,
    entries.flatMap(({ id, grams }) => [id, grams]),
  );
}

export async function removeEntries(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  await trx('item_search').whereIn('id', ids).delete();
}

/** What is removed goes when PostgreSQL cleans the table up, which it does by itself. */
export const holdsRemoved = (_db: Knex, _index?: FullTextIndex): Promise<boolean> => Promise.resolve(false);
export const dropRemoved = (_db: Knex, _signal?: AbortSignal, _index?: FullTextIndex): Promise<number> =>
  Promise.resolve(0);

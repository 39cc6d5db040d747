import type { Knex } from 'knex';
import { execute } from '../sql.ts';
import type { NewestQuery } from '../item-search.ts';
import type { FullTextIndex } from '../sql-fragments.ts';

// The PostgreSQL side of `../item-search.ts`, which documents these functions.

export const ENTRY = 'item_search.id';

/** Match expressions are in FTS5's syntax: grams in quotation marks, with AND, OR and NOT. The schema defines `asked_names`, which parses them. */
export const MATCH = 'item_search.grams @@ asked_names(?)';

/** The sample: the firm's newest entries. */
const SAMPLE = 500;
/** With this many matches in the sample, the word is common: scanning the newest entries is then faster than the GIN index. */
const COMMON = 10;
/** The bounds of such a scan: entries for each wanted result, and in all. */
const SCANNED_PER_RESULT = 50;
const MAX_SCANNED = 50_000;

/**
 * The GIN index returns all matches, unordered. For common words that is slow, but the newest matches are likely to be among the firm's
 * newest entries: these are scanned first, and the index is used only if the scan finds too few.
 */
export function newest({ columns, limit, condition }: NewestQuery): string {
  const matches = 'grams @@ (SELECT q FROM asked)';
  const selected = columns.map((column) => `i.${column}`).join(', ');
  const select = (source: string) =>
    condition === ''
      ? `SELECT ${ENTRY} AS id FROM ${source} AS item_search ORDER BY ${ENTRY} DESC LIMIT ${limit}`
      : `SELECT ${selected} FROM ${source} AS item_search CROSS JOIN items i
         WHERE i.id = ${ENTRY} AND ${condition} ORDER BY ${ENTRY} DESC LIMIT ${limit}`;
  const newestEntries = (limit: number, when = '') =>
    `(SELECT id, grams FROM item_search WHERE firm = (SELECT firm FROM asked)${when} ORDER BY id DESC LIMIT ${limit}) AS newest`;
  const scanned = newestEntries(
    Math.min(SCANNED_PER_RESULT * limit, MAX_SCANNED),
    ' AND (SELECT common FROM sample)',
  );
  return `WITH asked AS MATERIALIZED (
      SELECT asked_names(one) AS q, asked_firm(one) AS firm FROM (SELECT ?::text AS one) AS given
    ), sample AS MATERIALIZED (
      SELECT count(*) >= ${COMMON} AS common FROM ${newestEntries(SAMPLE)} WHERE ${matches}
    ), near AS MATERIALIZED (${select(`(SELECT id FROM ${scanned} WHERE ${matches})`)}),
    enough AS MATERIALIZED (SELECT count(*) = ${limit} AS all_found FROM near)
    SELECT * FROM near WHERE (SELECT all_found FROM enough)
    UNION ALL (${select(`(SELECT id FROM (
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

/** PostgreSQL's autovacuum removes the grams of deleted entries. */
export const purgeRemovedGrams = (
  _db: Knex,
  _signal?: AbortSignal,
  _index?: FullTextIndex,
): Promise<number> => Promise.resolve(0);

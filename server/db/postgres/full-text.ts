import type { Knex } from 'knex';
import { execute } from '../sql.ts';
import type { FullTextIndex } from '../words.ts';

// For `../full-text.ts`, where it is told what these do.

export const ENTRY = 'item_search.id';

/** The question is FTS5's, with AND, OR and NOT between grams in quotation marks; the function is of the tables' making. */
export const MATCH = 'item_search.grams @@ asked_names(?)';

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

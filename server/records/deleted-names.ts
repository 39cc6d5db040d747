import type { Knex } from 'knex';
import { truncateWal } from '#server/db/sqlite/write-ahead-log.ts';
import { purgeRemovedGrams } from '#server/db/item-search.ts';
import { searchIndex } from '#server/search/index.ts';

/**
 * Purges deleted data that remains in the database files after its rows are deleted: grams of names and hashes of words in
 * the search indexes, and older pages in the write-ahead log.
 * @returns the number of short transactions on the indexes.
 * @throws if a long read, such as a backup, keeps the log from being truncated; the caller retries.
 */
export async function forgetNames(db: Knex, signal?: AbortSignal): Promise<number> {
  const texts = await purgeRemovedGrams(db, signal, 'document_text_search');
  const steps = texts + (await searchIndex.forgetRemoved(db, signal));
  if (!(await truncateWal(db)))
    throw new Error(
      "What was deleted still stands in the database's log, for something such as a backup reads from it.",
    );
  return steps;
}

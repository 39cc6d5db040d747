import type { Knex } from 'knex';
import { truncateWal } from '#server/db/sqlite/write-ahead-log.ts';
import { purgeRemovedGrams } from '#server/db/full-text.ts';
import { searchIndex } from '#server/search/index.ts';

/**
 * Takes what was deleted out of the files of the database where it still stands after its rows are gone: the parts of
 * names in the search index, the hashes of words of documents in theirs, and older pages in the log.
 * @returns how many steps the index took, each a short transaction.
 * @throws when something such as a backup reads what is older all the time; to be tried again.
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

import type { Knex } from 'knex';

/**
 * The full-text index of what was read of documents. It holds no word: what goes in are keyed hashes, in the order of
 * the words, and apart from them those of days, years and beginnings of words.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `CREATE VIRTUAL TABLE document_text_search USING fts5(
       words, named, content = '', contentless_delete = 1, tokenize = 'ascii'
     )`,
  );
}

/** What going down takes from a vault. */
export const lost = 'the index of what was read of documents';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('document_text_search');
}

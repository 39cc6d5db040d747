import type { Knex } from 'knex';

/**
 * The full-text index of the text of documents. It contains no words, only their keyed hashes in the order of the words,
 * and separately those of days, years and prefixes of words.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `CREATE VIRTUAL TABLE document_text_search USING fts5(
       words, named, content = '', contentless_delete = 1, tokenize = 'ascii'
     )`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the index of what was read of documents';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('document_text_search');
}

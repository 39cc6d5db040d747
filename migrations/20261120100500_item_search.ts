import type { Knex } from 'knex';

/** SQLite's full-text index of grams of names. The program makes the grams, so the tokeniser splits at spaces only. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `CREATE VIRTUAL TABLE item_search USING fts5(
       grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
     )`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the search index of all files';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('item_search');
}

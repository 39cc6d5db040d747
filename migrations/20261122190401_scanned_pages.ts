import type { Knex } from 'knex';

/**
 * Pages that are pictures, of scans and photos: what is to be read of them, and what was, sealed. It is kept beside the
 * text of the file, since to read a page takes seconds, and the text may be made anew.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('scanned_pages', (t) => {
    t.increments('id');
    t.integer('text_id').notNullable().references('document_texts.id');
    t.integer('page').notNullable();
    t.integer('attempts').notNullable().defaultTo(0);
    // Lines, boxes of words and how sure each is; null until it was read.
    t.binary('sealed');
    // Why it could not be read.
    t.text('reason');
    t.unique(['text_id', 'page']);
  });
}

/** What going down takes from a vault. */
export const lost = 'what was read of scanned pages; it is read again';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('scanned_pages');
}

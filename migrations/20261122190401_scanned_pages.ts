import type { Knex } from 'knex';

/**
 * Scanned pages and photos, and their recognised text, encrypted. It is stored apart from the text of the file, since
 * recognising a page takes seconds and the text of the file may be extracted again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('scanned_pages', (t) => {
    t.increments('id');
    t.integer('text_id').notNullable().references('document_texts.id');
    t.integer('page').notNullable();
    t.integer('attempts').notNullable().defaultTo(0);
    // Lines, boxes of words and their confidence; null until the page is recognised.
    t.binary('sealed');
    // Why it could not be read.
    t.text('reason');
    t.unique(['text_id', 'page']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what was read of scanned pages; it is read again';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('scanned_pages');
}

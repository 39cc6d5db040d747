import type { Knex } from 'knex';

/**
 * What people said of the values that a content of a file gives: corrected, confirmed, cleared, by whom and when. Sealed
 * as a whole. Another content of the file has answers of its own, and so has another file of the same content.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('field_answers', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('item_id').notNullable().references('item_rows.id').onDelete('CASCADE');
    t.text('sha256').notNullable();
    t.binary('sealed').notNullable();
    // In the place of those that were recognised: null when nobody said any, '' for none.
    t.text('type_hash');
    t.text('year_hash');
    // How many of the unsure values of the present reading are answered.
    t.integer('settled').notNullable().defaultTo(0);
    t.unique(['item_id', 'sha256']);
  });
  await knex.raw(
    'CREATE INDEX field_answers_types ON field_answers (firm_id, type_hash) WHERE type_hash IS NOT NULL',
  );
  await knex.raw(
    'CREATE INDEX field_answers_years ON field_answers (firm_id, year_hash) WHERE year_hash IS NOT NULL',
  );
}

/** What going down takes from a vault. */
export const lost = 'what people have corrected and confirmed of what was recognised in documents';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('field_answers');
}

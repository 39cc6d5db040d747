import type { Knex } from 'knex';

/**
 * Answers of people about the recognised values of a content of a file: corrected, confirmed or cleared, by whom and
 * when; encrypted as a whole. Each content of a file, and each file with the same content, has its own answers.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('field_answers', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('item_id').notNullable().references('item_rows.id').onDelete('CASCADE');
    t.text('sha256').notNullable();
    t.binary('sealed').notNullable();
    // They replace the recognised ones: null without an answer, '' for none.
    t.text('type_hash');
    t.text('year_hash');
    // The number of uncertain values of the present recognition that are answered.
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

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what people have corrected and confirmed of what was recognised in documents';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('field_answers');
}

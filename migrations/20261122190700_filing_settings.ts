import type { Knex } from 'knex';

/** By what pattern a firm names the documents that it files. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('filing_settings', (t) => {
    t.integer('firm_id').primary().references('firms.id');
    t.text('pattern').notNullable();
  });
}

/** What going down takes from a vault. */
export const lost = 'the pattern by which documents are named when they are filed';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('filing_settings');
}

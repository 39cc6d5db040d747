import type { Knex } from 'knex';

/** The pattern by which a firm names filed documents. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('filing_settings', (t) => {
    t.integer('firm_id').primary().references('firms.id');
    t.text('pattern').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the pattern by which documents are named when they are filed';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('filing_settings');
}

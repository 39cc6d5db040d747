import type { Knex } from 'knex';

/** A firm's own request templates; the general ones are in the program. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('request_templates', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('name').notNullable();
    // A JSON list of texts, which may hold `{year}`, `{month}` and `{quarter}`.
    t.text('rows').notNullable();
    t.text('updated_at').notNullable();
    t.unique(['firm_id', 'name']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = "firms' own lists of what to ask clients for";

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('request_templates');
}

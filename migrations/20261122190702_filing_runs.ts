import type { Knex } from 'knex';

/** Groups of documents that were filed together and can be undone together. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('filing_runs', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('user_id').notNullable().references('users.id');
    t.boolean('by_itself').notNullable();
    t.text('made_at').notNullable();
    t.text('undone_at');
    t.index(['firm_id', 'id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what was filed at once; the documents stay where they are';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('filing_runs');
}

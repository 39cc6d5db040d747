import type { Knex } from 'knex';

/** Whether a firm shares by links, and for how long at most; without a row, the defaults of the program. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_settings', (t) => {
    t.integer('firm_id').primary().references('firms.id');
    t.integer('enabled').notNullable();
    t.integer('max_days').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'whether and for how long a firm shares by links';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('share_settings');
}

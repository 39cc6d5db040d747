import type { Knex } from 'knex';

/** Whether a firm shares by links at all, and for how long at most; without a row, as the version says. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_settings', (t) => {
    t.integer('firm_id').primary().references('firms.id');
    t.integer('enabled').notNullable();
    t.integer('max_days').notNullable();
  });
}

/** What going down takes from a vault. */
export const lost = 'whether and for how long a firm shares by links';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('share_settings');
}

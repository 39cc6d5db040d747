import type { Knex } from 'knex';

/** Problems of the installation, and when its admins were last told of each by e-mail. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('told_alarms', (t) => {
    t.text('cause').primary();
    // ISO 8601, UTC, as the next.
    t.text('since').notNullable();
    t.text('told_at').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which alarms were told by e-mail; what is wrong still is told once more';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('told_alarms');
}

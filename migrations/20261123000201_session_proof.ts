import type { Knex } from 'knex';

/** When the user of a session last authenticated; null for older sessions, which are asked when needed. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('sessions', (t) => void t.text('proved_at'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sessions DROP COLUMN proved_at');
}

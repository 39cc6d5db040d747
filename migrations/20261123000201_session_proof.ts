import type { Knex } from 'knex';

/** When the person behind a session last proved who they are; null for one of before, who is asked when it matters. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('sessions', (t) => void t.text('proved_at'));
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE sessions DROP COLUMN proved_at');
}

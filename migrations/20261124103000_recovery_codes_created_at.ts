import type { Knex } from 'knex';

/** When the recovery codes were created, so that those made in a session of a stranger are revoked with it. Null for older codes. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE recovery_codes ADD COLUMN created_at TEXT');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE recovery_codes DROP COLUMN created_at');
}

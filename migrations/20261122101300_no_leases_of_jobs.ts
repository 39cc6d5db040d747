import type { Knex } from 'knex';

/** The lease of jobs was never read: a job is ended by its process, and the lock of the data folder ensures that there is one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE jobs DROP COLUMN leased_until');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('jobs', (t) => void t.text('leased_until'));
}

import type { Knex } from 'knex';

/** Nobody read it: a job is ended by the process that runs it, and the data folder's lock says that there is one. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE jobs DROP COLUMN leased_until');
}

/** What going down takes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('jobs', (t) => void t.text('leased_until'));
}

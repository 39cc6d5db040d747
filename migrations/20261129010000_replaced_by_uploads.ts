import type { Knex } from 'knex';

/** The version that holds what an upload replaced, for a sender who never got the last response and asks again. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE resumable_uploads ADD COLUMN replaced_version integer');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which content an upload of the last days has replaced';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE resumable_uploads DROP COLUMN replaced_version');
}

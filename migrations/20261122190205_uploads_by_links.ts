import type { Knex } from 'knex';

/** Uploads of people who came by a link. */
export async function up(knex: Knex): Promise<void> {
  // Null for a user's own.
  await knex.raw('ALTER TABLE resumable_uploads ADD COLUMN door text');
}

/** What going down takes from a vault. */
export const lost = 'by which link an upload that is half-way was begun';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE resumable_uploads DROP COLUMN door');
}

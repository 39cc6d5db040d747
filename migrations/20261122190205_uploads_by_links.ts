import type { Knex } from 'knex';

/** Uploads by people who have a link. */
export async function up(knex: Knex): Promise<void> {
  // Null for uploads of users.
  await knex.raw('ALTER TABLE resumable_uploads ADD COLUMN door text');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'by which link an upload that is half-way was begun';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE resumable_uploads DROP COLUMN door');
}

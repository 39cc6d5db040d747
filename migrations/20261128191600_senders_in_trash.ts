import type { Knex } from 'knex';

/** Who outside the firm has taken a file back; null for what a user of the firm has deleted. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE trash ADD COLUMN sender text');
}

/** What a step down (`down`) deletes from a vault. */
export const lost =
  'which files in Trash were taken back by their senders: they count as deleted by those who had asked for them';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE trash DROP COLUMN sender');
}

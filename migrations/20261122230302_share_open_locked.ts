import type { Knex } from 'knex';

/** Links that show pages of PDFs which open only with a password that the office knows. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(
    'share_links',
    (t) => void t.integer('open_locked').notNullable().defaultTo(0),
  );
}

/** What going down takes from a vault. */
export const lost = 'which links do not show the pages of locked PDFs';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE share_links DROP COLUMN open_locked');
}

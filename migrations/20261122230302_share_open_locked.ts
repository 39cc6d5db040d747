import type { Knex } from 'knex';

/** Whether a link shows pages of locked PDFs whose password the office knows. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(
    'share_links',
    (t) => void t.integer('open_locked').notNullable().defaultTo(0),
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which links do not show the pages of locked PDFs';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE share_links DROP COLUMN open_locked');
}

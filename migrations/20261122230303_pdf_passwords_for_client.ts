import type { Knex } from 'knex';

/** The client of the document for which a password was found; null without a client, or with several. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('pdf_passwords', (t) => void t.integer('for_client'));
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'for whose documents remembered passwords of PDFs were entered';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE pdf_passwords DROP COLUMN for_client');
}

import type { Knex } from 'knex';

/** For whose document a password of a content was found; null for nobody's, or for those of several clients. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('pdf_passwords', (t) => void t.integer('for_client'));
}

/** What going down takes from a vault. */
export const lost = 'for whose documents remembered passwords of PDFs were entered';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE pdf_passwords DROP COLUMN for_client');
}

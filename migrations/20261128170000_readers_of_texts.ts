import type { Knex } from 'knex';

/**
 * With which version of the reader each text was read; 0 for all before there were numbers. What an older one has read is read again
 * in the background.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE document_texts ADD COLUMN reader integer NOT NULL DEFAULT 0');
  await knex.raw(
    "CREATE INDEX document_texts_readers ON document_texts (reader, firm_id, id DESC) WHERE state = 'read'",
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'with which version texts were read; they are read again';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX document_texts_readers');
  await knex.raw('ALTER TABLE document_texts DROP COLUMN reader');
}

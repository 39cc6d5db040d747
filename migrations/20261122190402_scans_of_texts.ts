import type { Knex } from 'knex';

const COLUMNS = {
  // waiting while pages of it are to be read as pictures, read when none is any more, null when it has none.
  scan: 'text',
  // Such pages, those dealt with, and how often so many that others go first.
  scan_pages: 'integer',
  scanned: 'integer',
  turn: 'integer NOT NULL DEFAULT 0',
  // The confidence of their words in percent.
  sure: 'integer',
};

/** The progress of recognising the scanned pages of each content. */
export async function up(knex: Knex): Promise<void> {
  for (const [name, type] of Object.entries(COLUMNS))
    await knex.raw(`ALTER TABLE document_texts ADD COLUMN ${name} ${type}`);
  await knex.raw(
    "CREATE INDEX document_texts_scans ON document_texts (firm_id, turn, id DESC) WHERE scan = 'waiting'",
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'how far the scans among the documents are read; they are read again';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX document_texts_scans');
  for (const name of Object.keys(COLUMNS).toReversed())
    await knex.raw(`ALTER TABLE document_texts DROP COLUMN ${name}`);
}

import type { Knex } from 'knex';

const ITEMS =
  'CREATE VIEW items AS SELECT * FROM item_rows WHERE id NOT IN (SELECT item_id FROM hidden_items)';

/** The CRC-32, computed while a file is stored, next to its SHA-256; null for files stored before. */
export async function up(knex: Knex): Promise<void> {
  // The view is created again, since its columns were fixed when it was created.
  await knex.raw('DROP VIEW items');
  await knex.schema.alterTable('item_rows', (t) => {
    t.bigInteger('crc32');
  });
  await knex.raw(ITEMS);
  await knex.raw(
    'UPDATE item_rows SET crc32 = checksums.crc32 FROM checksums WHERE checksums.blob_id = item_rows.blob_id',
  );
  await knex.schema.dropTable('checksums');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.schema.createTable('checksums', (t) => {
    t.text('blob_id').primary();
    t.bigInteger('crc32').notNullable();
  });
  await knex.raw('INSERT INTO checksums SELECT blob_id, crc32 FROM item_rows WHERE crc32 IS NOT NULL');
  await knex.raw('DROP VIEW items');
  // By SQL: knex would copy the table and drop the old one, with all rows that refer to it.
  await knex.raw('ALTER TABLE item_rows DROP COLUMN crc32');
  await knex.raw(ITEMS);
}

import type { Knex } from 'knex';

/** The CRC-32 of stored bytes, which ZIP downloads need; stored when first computed. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('checksums', (t) => {
    t.text('blob_id').primary();
    t.bigInteger('crc32').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'checksums for ZIP downloads, which are counted again';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('checksums');
}

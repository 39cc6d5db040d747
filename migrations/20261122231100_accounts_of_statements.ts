import type { Knex } from 'knex';

/**
 * The bank account of a statement, as keyed hashes of its number and branch: '' for none; null for values recognised
 * before there were such hashes, until they are computed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('document_fields', (t) => {
    t.text('account_hash');
    t.text('ifsc_hash');
  });
  await knex.raw(
    `CREATE INDEX document_fields_accounts ON document_fields (firm_id, account_hash, ifsc_hash, sha256)
     WHERE account_hash <> ''`,
  );
  await knex.raw(
    `CREATE INDEX document_fields_no_account ON document_fields (firm_id, type_hash, text_id)
     WHERE account_hash IS NULL`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'by which accounts statements are known; it is worked out again';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX document_fields_no_account');
  await knex.raw('DROP INDEX document_fields_accounts');
  await knex.raw('ALTER TABLE document_fields DROP COLUMN ifsc_hash');
  await knex.raw('ALTER TABLE document_fields DROP COLUMN account_hash');
}

import type { Knex } from 'knex';

/**
 * The same hashes for an account number, branch or document type that people corrected or confirmed, which replace the
 * recognised ones: '' for none, null without an answer.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('field_answers', (t) => {
    t.text('account_hash');
    t.text('ifsc_hash');
  });
  await knex.raw(
    `CREATE INDEX field_answers_accounts ON field_answers (firm_id, account_hash, ifsc_hash)
     WHERE account_hash <> ''`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which accounts people said that statements are of, as far as documents are filed by it';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX field_answers_accounts');
  await knex.raw('ALTER TABLE field_answers DROP COLUMN ifsc_hash');
  await knex.raw('ALTER TABLE field_answers DROP COLUMN account_hash');
}

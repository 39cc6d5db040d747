import type { Knex } from 'knex';

/** Codes that pair a program: valid once, for two minutes. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('pairing_codes', (t) => {
    t.text('code_hash').primary();
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    // SHA-256 of a secret of the program (PKCE); null for a code that a person types.
    t.text('challenge');
    t.text('created_at').notNullable().index();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'codes of two minutes by which programs are being connected';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('pairing_codes');
}

import type { Knex } from 'knex';

/** Codes by which a program is connected: good once, for two minutes. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('pairing_codes', (t) => {
    t.text('code_hash').primary();
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    // The SHA-256 of what only the program knows; null for a code that a person types.
    t.text('challenge');
    t.text('created_at').notNullable().index();
  });
}

/** What going down takes from a vault. */
export const lost = 'codes of two minutes by which programs are being connected';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('pairing_codes');
}

import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  const ofUser = (t: Knex.CreateTableBuilder) =>
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');

  await knex.schema.createTable('password_resets', (t) => {
    t.text('token_hash').primary();
    ofUser(t).unique();
    t.text('expires_at').notNullable();
  });
  await knex.schema.createTable('two_step', (t) => {
    ofUser(t).primary();
    t.binary('sealed_secret').notNullable();
    // The newest time step whose code was used; codes of this and earlier steps are no longer accepted.
    t.integer('last_step').notNullable();
    // Null until the first code has proven that the phone has the secret.
    t.text('enabled_at');
    t.text('created_at').notNullable();
  });
  await knex.schema.createTable('recovery_codes', (t) => {
    t.text('code_hash').primary();
    ofUser(t).index();
    t.text('used_at');
  });
  // Sign-ins with a correct password that still need the code.
  await knex.schema.createTable('half_sign_ins', (t) => {
    t.text('token_hash').primary();
    ofUser(t).index();
    t.text('password_hash').notNullable();
    t.text('expires_at').notNullable();
  });
  await knex.schema.createTable('known_devices', (t) => {
    ofUser(t);
    t.text('device_hash').notNullable();
    t.text('last_seen_at').notNullable();
    t.primary(['user_id', 'device_hash']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'two-step sign-in with its recovery codes, reset links and known devices';

export async function down(knex: Knex): Promise<void> {
  for (const table of ['known_devices', 'half_sign_ins', 'recovery_codes', 'two_step', 'password_resets']) {
    await knex.schema.dropTable(table);
  }
}

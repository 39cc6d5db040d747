import type { Knex } from 'knex';

/**
 * Passkeys: only the public keys; private keys stay in the devices. A used challenge is kept until it expires, so that no
 * response is accepted twice.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('passkeys', (t) => {
    t.increments('id');
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    t.text('name').notNullable();
    // base64url, as browsers send it.
    t.text('credential_id').notNullable().unique();
    t.binary('public_key').notNullable();
    t.bigInteger('counter').notNullable();
    // A JSON list of transports, by which the browser reaches the authenticator.
    t.text('transports').notNullable();
    // The same for all passkeys of a user; devices store it, and it says nothing about the user.
    t.text('user_handle').notNullable();
    t.boolean('backed_up').notNullable();
    t.text('created_at').notNullable();
    t.text('last_used_at');
  });
  await knex.schema.createTable('spent_challenges', (t) => {
    t.text('challenge_hash').primary();
    t.text('expires_at').notNullable().index();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'passkeys; people sign in with their password and add them again';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('spent_challenges');
  await knex.schema.dropTable('passkeys');
}

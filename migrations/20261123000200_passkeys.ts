import type { Knex } from 'knex';

/**
 * Passkeys: what each signs with stays in its device, here are only public keys. A challenge that was answered is kept until
 * it would have run out, so that no answer is good twice.
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
    // A JSON list of how the browser reaches it.
    t.text('transports').notNullable();
    // The same for all passkeys of a person; devices keep it and it tells them nothing.
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

/** What going down takes from a vault. */
export const lost = 'passkeys; people sign in with their password and add them again';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('spent_challenges');
  await knex.schema.dropTable('passkeys');
}

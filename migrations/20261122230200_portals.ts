import type { Knex } from 'knex';

/** Client pages: lasting addresses, one per client, with all requests to and items shared with the client. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('portals', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('client_id').notNullable().references('clients.id').onDelete('CASCADE');
    t.integer('made_by').notNullable().references('users.id');
    // The token is derived from it and a key outside the database, so that the address can be shown again.
    t.text('seed').notNullable();
    // SHA-256 of the token, and of the token before the server's key was replaced.
    t.text('token_hash').notNullable().unique();
    t.text('former_hash').unique();
    t.integer('opened').notNullable().defaultTo(0);
    t.text('last_opened_at');
    t.text('last_opened_ip');
    // The proven e-mail address.
    t.text('last_opened_by');
    t.text('revoked_at');
    t.text('created_at').notNullable();
    t.index(['firm_id', 'client_id']);
    t.index(['client_id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the pages of clients';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('portals');
}

import type { Knex } from 'knex';

/** Lasting pages, one for a client, with all that is asked of and shared with that client. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('portals', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('client_id').notNullable().references('clients.id').onDelete('CASCADE');
    t.integer('made_by').notNullable().references('users.id');
    // The token is made of it with a key that is not in the database, so that the address can be shown again.
    t.text('seed').notNullable();
    // SHA-256 of the token; the former one is of before the server's key was replaced.
    t.text('token_hash').notNullable().unique();
    t.text('former_hash').unique();
    t.integer('opened').notNullable().defaultTo(0);
    t.text('last_opened_at');
    t.text('last_opened_ip');
    // The address that was proved.
    t.text('last_opened_by');
    t.text('revoked_at');
    t.text('created_at').notNullable();
    t.index(['firm_id', 'client_id']);
    t.index(['client_id']);
  });
}

/** What going down takes from a vault. */
export const lost = 'the pages of clients';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('portals');
}

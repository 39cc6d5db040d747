import type { Knex } from 'knex';

/** Open invitations to join a firm. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('invitations', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('email').notNullable();
    t.text('role').notNullable();
    t.text('client_scope').notNullable();
    // JSON lists: ids of clients, and names of groups of clients.
    t.text('clients').notNullable();
    t.text('client_groups').notNullable();
    t.text('token_hash').notNullable().unique();
    t.integer('invited_by').notNullable().references('users.id');
    t.text('sent_at').notNullable();
    t.text('expires_at').notNullable();
    t.unique(['firm_id', 'email']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'invitations that nobody has accepted yet';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('invitations');
}

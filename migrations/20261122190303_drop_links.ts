import type { Knex } from 'knex';

/** Drop links, one per client: lasting addresses for sending files, which show nothing. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('drop_links', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('client_id').notNullable();
    // The user in whose name received files are added to the drive, and who is notified.
    t.integer('made_by').notNullable().references('users.id');
    // The token is derived from it and a key outside the database, so that the address can be shown again.
    t.text('seed').notNullable();
    // SHA-256 of the token, and of the token before the server's key was replaced.
    t.text('token_hash').notNullable().unique();
    t.text('former_hash').unique();
    t.integer('file_mb').notNullable();
    t.integer('max_files').notNullable();
    t.integer('folder_id');
    t.integer('received').notNullable().defaultTo(0);
    t.text('last_received_at');
    // When its maker was last told by e-mail.
    t.text('told_at');
    t.text('revoked_at');
    t.text('created_at').notNullable();
    t.index(['firm_id', 'client_id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'links by which clients send anything';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('drop_links');
}

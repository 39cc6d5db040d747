import type { Knex } from 'knex';

/** Lasting links, one for a client, by which anything can be sent in and nothing be seen. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('drop_links', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('client_id').notNullable();
    // In whose name what comes is put into the drive, and who is told.
    t.integer('made_by').notNullable().references('users.id');
    // The token is made of it with a key that is not in the database, so that the address can be shown again.
    t.text('seed').notNullable();
    // SHA-256 of the token; the former one is of before the server's key was replaced.
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

/** What going down takes from a vault. */
export const lost = 'links by which clients send anything';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('drop_links');
}

import type { Knex } from 'knex';

/** Addresses that open shared items from a client's page without another code, while that session lasts. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('portal_passes', (t) => {
    // SHA-256 of the token in the address.
    t.text('token_hash').primary();
    t.integer('session_id').notNullable().references('portal_sessions.id').onDelete('CASCADE');
    t.integer('link_id').notNullable().references('share_links.id').onDelete('CASCADE');
    t.index(['session_id']);
    t.index(['link_id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'ways from the pages of clients to what is shared there';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('portal_passes');
}

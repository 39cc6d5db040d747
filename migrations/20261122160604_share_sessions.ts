import type { Knex } from 'knex';

/** Browsers that have proved an address or a password to a link. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_sessions', (t) => {
    t.increments('id');
    t.integer('link_id').notNullable().references('share_links.id').onDelete('CASCADE');
    t.text('visitor').notNullable();
    // The address that was proved; null where only the password was.
    t.text('email');
    t.integer('password_given').notNullable();
    t.text('expires_at').notNullable();
    t.unique(['link_id', 'visitor']);
    t.index(['expires_at']);
  });
}

/** What going down takes from a vault. */
export const lost = 'who has opened a shared link with a password or a code';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('share_sessions');
}

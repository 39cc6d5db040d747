import type { Knex } from 'knex';

/** Browsers in which an e-mail address or the password of a link was proven. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_sessions', (t) => {
    t.increments('id');
    t.integer('link_id').notNullable().references('share_links.id').onDelete('CASCADE');
    t.text('visitor').notNullable();
    // The proven e-mail address; null if only the password was entered.
    t.text('email');
    t.integer('password_given').notNullable();
    t.text('expires_at').notNullable();
    t.unique(['link_id', 'visitor']);
    t.index(['expires_at']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'who has opened a shared link with a password or a code';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('share_sessions');
}

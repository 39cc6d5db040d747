import type { Knex } from 'knex';

/** Browsers that have opened a client's page with a code. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('portal_sessions', (t) => {
    t.increments('id');
    t.integer('portal_id').notNullable().references('portals.id').onDelete('CASCADE');
    // A hash of the cookie of the browser.
    t.text('visitor').notNullable();
    t.text('email').notNullable();
    // When a visit was last recorded in the history.
    t.text('noted_at').notNullable();
    t.text('expires_at').notNullable();
    t.unique(['portal_id', 'visitor']);
    t.index(['expires_at']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'who has opened the page of a client';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('portal_sessions');
}

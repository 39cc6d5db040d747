import type { Knex } from 'knex';

/** The last code that each browser has requested. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('portal_codes', (t) => {
    t.increments('id');
    t.integer('portal_id').notNullable().references('portals.id').onDelete('CASCADE');
    // A hash of the cookie of the browser.
    t.text('visitor').notNullable();
    // Null if the address does not open the page: then no code is valid.
    t.text('email');
    t.text('code_hash').notNullable();
    t.integer('tries').notNullable().defaultTo(0);
    t.text('expires_at').notNullable();
    t.unique(['portal_id', 'visitor']);
    t.index(['expires_at']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'codes on their way to clients';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('portal_codes');
}

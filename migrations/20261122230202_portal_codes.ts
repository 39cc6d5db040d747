import type { Knex } from 'knex';

/** The code for which each browser has asked last. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('portal_codes', (t) => {
    t.increments('id');
    t.integer('portal_id').notNullable().references('portals.id').onDelete('CASCADE');
    // A hash of the cookie of the browser.
    t.text('visitor').notNullable();
    // Null where the address opens nothing: then no code does.
    t.text('email');
    t.text('code_hash').notNullable();
    t.integer('tries').notNullable().defaultTo(0);
    t.text('expires_at').notNullable();
    t.unique(['portal_id', 'visitor']);
    t.index(['expires_at']);
  });
}

/** What going down takes from a vault. */
export const lost = 'codes on their way to clients';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('portal_codes');
}

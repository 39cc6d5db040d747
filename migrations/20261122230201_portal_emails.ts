import type { Knex } from 'knex';

/** The addresses that open a client's page, beside the e-mail of the client. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('portal_emails', (t) => {
    t.increments('id');
    t.integer('portal_id').notNullable().references('portals.id').onDelete('CASCADE');
    // Lower case.
    t.text('email').notNullable();
    t.unique(['portal_id', 'email']);
  });
}

/** What going down takes from a vault. */
export const lost = 'the addresses that open the pages of clients';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('portal_emails');
}

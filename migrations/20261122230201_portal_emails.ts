import type { Knex } from 'knex';

/** E-mail addresses that open a client's page, in addition to that of the client. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('portal_emails', (t) => {
    t.increments('id');
    t.integer('portal_id').notNullable().references('portals.id').onDelete('CASCADE');
    // Lower case.
    t.text('email').notNullable();
    t.unique(['portal_id', 'email']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the addresses that open the pages of clients';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('portal_emails');
}

import type { Knex } from 'knex';

/** Whether a link that anyone can open is shown on its client's page as well. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('share_links', (t) => {
    t.integer('on_portal').notNullable().defaultTo(0);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which shared links stand on the pages of clients';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('share_links', (t) => {
    t.dropColumn('on_portal');
  });
}

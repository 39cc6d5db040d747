import type { Knex } from 'knex';

/** Which kinds of files come by a client's lasting link: any, or PDFs and pictures only. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('drop_links', (t) => {
    t.text('kinds').notNullable().defaultTo('any');
  });
}

/** What going down takes from a vault. */
export const lost = 'which kinds of files come by a lasting link';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('drop_links', (t) => {
    t.dropColumn('kinds');
  });
}

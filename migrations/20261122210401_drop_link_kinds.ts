import type { Knex } from 'knex';

/** The kinds of files that a drop link accepts: any, or only PDFs and pictures. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('drop_links', (t) => {
    t.text('kinds').notNullable().defaultTo('any');
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which kinds of files come by a lasting link';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('drop_links', (t) => {
    t.dropColumn('kinds');
  });
}

import type { Knex } from 'knex';

/** The app password by which a program saved a file's present content over another: several saves become one version. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('present_contents', (t) => {
    t.integer('app_password_id');
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which program saved the present content of a file';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('present_contents', (t) => {
    t.dropColumn('app_password_id');
  });
}

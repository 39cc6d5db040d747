import type { Knex } from 'knex';

/** Administrators of the installation, in addition to those of INSTALLATION_ADMINS. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('installation_admins', (t) => {
    t.integer('user_id').primary().references('users.id').onDelete('CASCADE');
    // ISO 8601, UTC.
    t.text('added_at').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost =
  'who looks after the installation; INSTALLATION_ADMINS or the admin command names them again';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('installation_admins');
}

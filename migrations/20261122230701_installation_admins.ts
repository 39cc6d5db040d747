import type { Knex } from 'knex';

/** Who looks after this installation, beside those whom the environment names. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('installation_admins', (t) => {
    t.integer('user_id').primary().references('users.id').onDelete('CASCADE');
    // ISO 8601, UTC.
    t.text('added_at').notNullable();
  });
}

/** What going down takes from a vault. */
export const lost =
  'who looks after the installation; INSTALLATION_ADMINS or the admin command names them again';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('installation_admins');
}

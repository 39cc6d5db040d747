import type { Knex } from 'knex';

/** New e-mail addresses that are not confirmed yet; only the newest of each user. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('email_changes', (t) => {
    t.integer('user_id').primary().references('users.id').onDelete('CASCADE');
    t.text('token_hash').notNullable().unique();
    t.text('email').notNullable();
    // The session that requested the change, which stays signed in; all others end.
    t.integer('session_id').notNullable();
    t.text('expires_at').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('email_changes');
}

import type { Knex } from 'knex';

/** "This was not me" links in e-mails about a new device; each names the session that it ends. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('device_alarms', (t) => {
    t.text('token_hash').primary();
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    // The session may have ended already; changes made in it are undone anyway.
    t.integer('session_id').notNullable();
    t.text('device').notNullable();
    t.text('created_at').notNullable();
    t.text('expires_at').notNullable().index();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('device_alarms');
}

import type { Knex } from 'knex';

/** Links by which a person who was told of a new device says that it is not theirs; each names the session that it ends. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('device_alarms', (t) => {
    t.text('token_hash').primary();
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    // It may have ended meanwhile; what else came by it is undone all the same.
    t.integer('session_id').notNullable();
    t.text('device').notNullable();
    t.text('created_at').notNullable();
    t.text('expires_at').notNullable().index();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('device_alarms');
}

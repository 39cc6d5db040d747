import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('firms', (t) => {
    t.increments('id');
    t.text('name').notNullable();
    t.text('created_at').notNullable();
  });
  await knex.schema.createTable('users', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id').index();
    t.text('name').notNullable();
    t.text('email').notNullable().unique();
    t.text('phone').notNullable();
    t.text('ca_license_number').notNullable();
    t.text('role').notNullable();
    t.text('permissions').notNullable();
    t.text('password_hash').notNullable();
    t.text('disabled_at');
    t.text('created_at').notNullable();
    t.text('updated_at').notNullable();
  });
  await knex.schema.createTable('sessions', (t) => {
    t.increments('id');
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    t.text('cookie_hash').notNullable().unique();
    t.text('token_hash').notNullable().unique();
    t.text('ip').notNullable();
    t.text('user_agent').notNullable();
    t.text('created_at').notNullable();
    t.text('last_used_at').notNullable().index();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'all firms, users and sign-ins: the whole vault';

export async function down(knex: Knex): Promise<void> {
  for (const table of ['sessions', 'users', 'firms']) await knex.schema.dropTable(table);
}

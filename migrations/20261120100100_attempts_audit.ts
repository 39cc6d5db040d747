import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('attempts', (t) => {
    t.text('key').primary();
    t.integer('count').notNullable();
    t.text('resets_at').notNullable().index();
  });
  await knex.schema.createTable('audit_events', (t) => {
    t.increments('id');
    t.integer('firm_id').references('firms.id');
    t.integer('user_id').references('users.id');
    t.text('did').notNullable();
    t.text('subject');
    t.text('detail').notNullable();
    t.text('ip');
    t.text('request_id');
    t.text('at').notNullable();
    t.index(['firm_id', 'id']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('audit_events');
  await knex.schema.dropTable('attempts');
}

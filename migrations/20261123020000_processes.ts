import type { Knex } from 'knex';

/**
 * Which process works on what, so that another takes over the work of one that has ended; and state that a single process
 * keeps in memory, but several processes must share.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('processes', (t) => {
    t.text('id').primary();
    t.text('seen_at').notNullable();
  });
  for (const table of ['jobs', 'storage_reservations', 'hidden_items'])
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN process TEXT`);
  await knex.raw('ALTER TABLE jobs ADD COLUMN to_cancel INTEGER NOT NULL DEFAULT 0');
  await knex.schema.createTable('kept_choices', (t) => {
    t.text('about').primary();
    t.integer('user_id').notNullable().index();
    t.binary('sealed').notNullable();
    t.text('expires_at').notNullable().index();
  });
  await knex.schema.createTable('done_once', (t) => {
    t.text('mark').primary();
    t.text('until').notNullable().index();
  });
}

export const lost = 'which process worked on what, and that says nothing once all are stopped';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('done_once');
  await knex.schema.dropTable('kept_choices');
  await knex.raw('ALTER TABLE jobs DROP COLUMN to_cancel');
  for (const table of ['jobs', 'storage_reservations', 'hidden_items'])
    await knex.raw(`ALTER TABLE ${table} DROP COLUMN process`);
  await knex.schema.dropTable('processes');
}

import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('recovery_sheets', (t) => {
    t.increments('id');
    t.text('key_id').notNullable();
    t.integer('user_id').references('users.id').onDelete('SET NULL');
    t.text('saved_at').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('recovery_sheets');
}

export const lost = 'who saved the recovery sheet, and when';

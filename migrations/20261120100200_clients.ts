import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('clients', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('name').notNullable();
    t.text('email');
    t.text('phone');
    t.text('client_type').notNullable();
    t.text('city');
    t.text('status').notNullable();
    t.text('created_at').notNullable();
    t.text('updated_at').notNullable();
    t.index(['firm_id', 'name']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'all clients';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('clients');
}

import type { Knex } from 'knex';

/** The documents that a request asks for. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('request_rows', (t) => {
    t.increments('id');
    t.integer('request_id').notNullable().references('requests.id').onDelete('CASCADE');
    t.integer('position').notNullable();
    t.text('name').notNullable();
    // `wanted`, `received`, `accepted`, `returned` or `unavailable`.
    t.text('state').notNullable();
    // Why the office sent it back, or why the client does not have it.
    t.text('reason');
    t.text('updated_at').notNullable();
    t.index(['request_id', 'position']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the single things that clients were asked for';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('request_rows');
}

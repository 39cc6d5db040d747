import type { Knex } from 'knex';

/** What clients were told that it had arrived. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('request_receipts', (t) => {
    t.increments('id');
    t.integer('request_id').notNullable().references('requests.id').onDelete('CASCADE');
    // As the client reads it: `7KQM-2XRD`.
    t.text('number').notNullable().unique();
    t.integer('files').notNullable();
    t.text('made_at').notNullable();
    t.index(['request_id']);
  });
}

/** What going down takes from a vault. */
export const lost = 'the numbers of receipts that clients were given';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('request_receipts');
}

import type { Knex } from 'knex';

/** Receipts that clients got for documents that have arrived. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('request_receipts', (t) => {
    t.increments('id');
    t.integer('request_id').notNullable().references('requests.id').onDelete('CASCADE');
    // The number shown to the client: `7KQM-2XRD`.
    t.text('number').notNullable().unique();
    t.integer('files').notNullable();
    t.text('made_at').notNullable();
    t.index(['request_id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the numbers of receipts that clients were given';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('request_receipts');
}

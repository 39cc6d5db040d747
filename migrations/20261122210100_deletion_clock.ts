import type { Knex } from 'knex';

/** One row: up to when the server knows that time has passed, by which it deletes what is old. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('deletion_clock', (t) => {
    t.increments('id');
    // ISO 8601, UTC, as the next.
    t.text('seen_at').notNullable();
    // What the machine's clock said instead; null while the two agree.
    t.text('doubted_at');
    // For how many ms the server has run since they differ.
    t.integer('waited').notNullable().defaultTo(0);
    // Whether the firms were told.
    t.integer('told').notNullable().defaultTo(0);
  });
}

/** What going down takes from a vault. */
export const lost = 'up to when time is known to have passed; it is found again by the history';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('deletion_clock');
}

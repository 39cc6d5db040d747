import type { Knex } from 'knex';

/** One row: the time that has certainly passed, by which old items are deleted even if the clock is wrong. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('deletion_clock', (t) => {
    t.increments('id');
    // ISO 8601, UTC, as the next.
    t.text('seen_at').notNullable();
    // The time of the machine's clock; null while the two agree.
    t.text('doubted_at');
    // The milliseconds that the server has run since they differ.
    t.integer('waited').notNullable().defaultTo(0);
    // Whether the firms were told.
    t.integer('told').notNullable().defaultTo(0);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'up to when time is known to have passed; it is found again by the history';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('deletion_clock');
}

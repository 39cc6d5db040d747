import type { Knex } from 'knex';

/** The disk usage of each day, for the forecast. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('disk_days', (t) => {
    // `2026-11-22`, in India.
    t.text('day').primary();
    // Bytes.
    t.bigInteger('free').notNullable();
    t.bigInteger('size').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'how full the disk was on past days, which is noted anew';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('disk_days');
}

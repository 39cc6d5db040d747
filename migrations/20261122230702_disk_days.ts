import type { Knex } from 'knex';

/** How full the disk was on each day, from which is told how full it will be. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('disk_days', (t) => {
    // `2026-11-22`, in India.
    t.text('day').primary();
    // Bytes.
    t.bigInteger('free').notNullable();
    t.bigInteger('size').notNullable();
  });
}

/** What going down takes from a vault. */
export const lost = 'how full the disk was on past days, which is noted anew';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('disk_days');
}

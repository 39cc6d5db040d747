import type { Knex } from 'knex';

/** How many files each person with a daily limit has downloaded, link by link. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('counted_downloads', (t) => {
    t.integer('user_id').notNullable().references('users.id');
    // A hash of the download link, so that ranges of one download count once; or `warned` and the day when admins were told.
    t.text('ref').notNullable();
    // The day in India: `2026-11-22`.
    t.text('day').notNullable();
    t.integer('files').notNullable();
    t.primary(['user_id', 'ref']);
    t.index(['day', 'user_id'], 'counted_downloads_of_day');
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'how many files people with a daily limit have downloaded today';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('counted_downloads');
}

import type { Knex } from 'knex';

/** Limits of a user: visible clients, times, networks and daily downloads. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('users', (t) => {
    // `all` or `assigned`.
    t.text('client_scope').notNullable().defaultTo('all');
    // `{ "days": [1, 2], "from": "09:30", "to": "19:00" }` in Indian time, Monday = 1; null for any time.
    t.text('work_hours');
    // A JSON list of networks in CIDR notation; empty for any.
    t.text('networks').notNullable().defaultTo('[]');
    t.integer('daily_downloads');
    t.text('last_seen_at');
  });
  await knex.raw('ALTER TABLE users RENAME COLUMN disabled_at TO deactivated_at');
}

/** What a step down (`down`) deletes from a vault. */
export const lost =
  'work hours, office networks, download limits and assigned clients of users: everybody sees all';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users RENAME COLUMN deactivated_at TO disabled_at');
  for (const column of ['client_scope', 'work_hours', 'networks', 'daily_downloads', 'last_seen_at']) {
    await knex.raw(`ALTER TABLE users DROP COLUMN ${column}`);
  }
}

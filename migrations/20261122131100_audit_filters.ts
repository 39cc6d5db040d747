import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // The history of one kind, and that of some days.
  await knex.raw('CREATE INDEX audit_events_by_kind ON audit_events (firm_id, did)');
  await knex.raw('CREATE INDEX audit_events_by_time ON audit_events (firm_id, at)');
}

/** What going down takes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX audit_events_by_time');
  await knex.raw('DROP INDEX audit_events_by_kind');
}

import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // Indexes for the history of one kind, and of a range of days.
  await knex.raw('CREATE INDEX audit_events_by_kind ON audit_events (firm_id, did)');
  await knex.raw('CREATE INDEX audit_events_by_time ON audit_events (firm_id, at)');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX audit_events_by_time');
  await knex.raw('DROP INDEX audit_events_by_kind');
}

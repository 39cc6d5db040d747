import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // The items and clients of an event; client 0 for items without a client.
  await knex.raw(
    `CREATE TABLE audit_links (
       event_id integer NOT NULL,
       kind text NOT NULL,
       ref integer NOT NULL,
       PRIMARY KEY (event_id, kind, ref)
     ) WITHOUT ROWID`,
  );
  await knex.raw('CREATE INDEX audit_links_by_ref ON audit_links (kind, ref, event_id)');
  await knex.raw('CREATE INDEX audit_events_by_user ON audit_events (firm_id, user_id, id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX audit_events_by_user');
  await knex.raw('DROP TABLE audit_links');
}

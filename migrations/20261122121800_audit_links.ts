import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // Which items and clients an event is about; client 0 stands for what is tied to none.
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

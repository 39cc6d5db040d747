import type { Knex } from 'knex';

const WRITTEN = 'firm_id, user_id, did, subject, detail, ip, request_id, at';
const refuse = `BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END`;

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('audit_events', (t) => {
    // The keyed hash of the row, and that of this hash with the link of the previous row.
    t.binary('content');
    t.binary('link');
  });
  // Rows deleted by a rule leave their hash, so that they can be told from rows deleted by an attacker.
  await knex.schema.createTable('audit_removed', (t) => {
    t.integer('id').primary();
    t.binary('content').notNullable();
    t.binary('link').notNullable();
  });
  await knex.schema.createTable('audit_head', (t) => {
    t.integer('id').primary();
    t.integer('count').notNullable();
    t.integer('last_id').notNullable();
    t.binary('link');
    t.binary('mac');
    t.binary('sealed_key');
  });
  await knex('audit_head').insert({ id: 1, count: 0, last_id: 0 });

  await knex.raw('DROP TRIGGER audit_events_no_update');
  await knex.raw('DROP TRIGGER audit_events_no_delete');
  await knex.raw(
    `CREATE TRIGGER audit_events_no_update BEFORE UPDATE OF id, ${WRITTEN} ON audit_events ${refuse}`,
  );
  await knex.raw(
    `CREATE TRIGGER audit_events_no_relink BEFORE UPDATE OF content, link ON audit_events
     WHEN OLD.link IS NOT NULL ${refuse}`,
  );
  await knex.raw(
    `CREATE TRIGGER audit_events_no_delete BEFORE DELETE ON audit_events
     WHEN NOT EXISTS (SELECT 1 FROM audit_removed r WHERE r.id = OLD.id AND r.link = OLD.link) ${refuse}`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the proof that the history is whole';

export async function down(knex: Knex): Promise<void> {
  for (const name of ['update', 'relink', 'delete']) await knex.raw(`DROP TRIGGER audit_events_no_${name}`);
  await knex.schema.dropTable('audit_head');
  await knex.schema.dropTable('audit_removed');
  for (const column of ['link', 'content'])
    await knex.raw('ALTER TABLE audit_events DROP COLUMN ??', [column]);
  for (const verb of ['UPDATE', 'DELETE'])
    await knex.raw(
      `CREATE TRIGGER audit_events_no_${verb.toLowerCase()} BEFORE ${verb} ON audit_events ${refuse}`,
    );
}

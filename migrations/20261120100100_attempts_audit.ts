import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('attempts', (t) => {
    t.text('key').primary();
    t.integer('count').notNullable();
    t.text('resets_at').notNullable().index();
  });
  await knex.schema.createTable('audit_events', (t) => {
    t.increments('id');
    t.integer('firm_id').references('firms.id');
    t.integer('user_id').references('users.id');
    t.text('did').notNullable();
    t.text('subject');
    t.text('detail').notNullable();
    t.text('ip');
    t.text('request_id');
    t.text('at').notNullable();
    t.index(['firm_id', 'id']);
  });
  // The history is append-only, also for the server itself. On PostgreSQL UPDATE and DELETE are not granted instead.
  for (const verb of ['UPDATE', 'DELETE']) {
    await knex.raw(
      `CREATE TRIGGER audit_events_no_${verb.toLowerCase()} BEFORE ${verb} ON audit_events
       BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END`,
    );
  }
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the history of who did what';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('audit_events');
  await knex.schema.dropTable('attempts');
}

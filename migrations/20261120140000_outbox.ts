import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('outbox', (t) => {
    t.increments('id');
    t.text('kind').notNullable();
    t.text('message_id').notNullable();
    // Encrypted, since e-mails contain links that open accounts; null once the e-mail is sent or given up.
    t.binary('content');
    t.text('status').notNullable();
    t.integer('attempts').notNullable();
    t.text('next_attempt_at').notNullable();
    t.text('expires_at').notNullable();
    t.text('last_error');
    t.text('created_at').notNullable();
    t.text('finished_at');
    t.index(['status', 'next_attempt_at']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'e-mails that wait, and the list of those sent';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('outbox');
}

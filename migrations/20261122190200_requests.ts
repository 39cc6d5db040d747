import type { Knex } from 'knex';

/** What a firm has asked a client to send. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('requests', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('client_id').notNullable().references('clients.id').onDelete('CASCADE');
    t.integer('made_by').notNullable().references('users.id');
    t.text('title').notNullable();
    t.text('note').notNullable();
    // `en` or `hi`, of the e-mails and of the page until the client chooses.
    t.text('language').notNullable();
    // A day in India.
    t.text('due_on');
    // Where e-mails about it go; '' where the link is passed on by hand.
    t.text('email').notNullable();
    // Days before the due day, on it, and every so many days after it; null for never.
    t.integer('remind_before');
    t.integer('remind_on').notNullable();
    t.integer('remind_after');
    t.text('reminded_on');
    t.text('reminded_at');
    t.integer('reminders').notNullable().defaultTo(0);
    // From which, with a key of the server's, the token of the link is made anew for each e-mail.
    t.text('seed').notNullable();
    // SHA-256 of the token, and of the one before the server's key was replaced.
    t.text('token_hash').notNullable().unique();
    t.text('former_hash').unique();
    // The folder into which what comes is put, once something came.
    t.integer('folder_id');
    t.integer('opened').notNullable().defaultTo(0);
    t.text('last_opened_at');
    t.text('last_opened_ip');
    // Since when something has come of which the office was not told.
    t.text('news_at');
    t.text('completed_at');
    t.text('closed_at');
    t.text('created_at').notNullable();
    t.text('updated_at').notNullable();
    t.index(['firm_id', 'id']);
    t.index(['client_id']);
    t.index(['made_by']);
    t.index(['news_at']);
  });
}

/** What going down takes from a vault. */
export const lost = 'what clients were asked to send';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('requests');
}

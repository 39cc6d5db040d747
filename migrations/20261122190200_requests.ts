import type { Knex } from 'knex';

/** Requests of a firm to a client for documents. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('requests', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('client_id').notNullable().references('clients.id').onDelete('CASCADE');
    t.integer('made_by').notNullable().references('users.id');
    t.text('title').notNullable();
    t.text('note').notNullable();
    // The language of the e-mails, and of the page until the client chooses: `en` or `hi`.
    t.text('language').notNullable();
    // A day in India.
    t.text('due_on');
    // The recipient of its e-mails; '' if the link is passed on by hand.
    t.text('email').notNullable();
    // Days before the due day, on it, and every so many days after it; null for never.
    t.integer('remind_before');
    t.integer('remind_on').notNullable();
    t.integer('remind_after');
    t.text('reminded_on');
    t.text('reminded_at');
    t.integer('reminders').notNullable().defaultTo(0);
    // From this and a key of the server the token of the link is derived again for each e-mail.
    t.text('seed').notNullable();
    // SHA-256 of the token, and of the token before the server's key was replaced.
    t.text('token_hash').notNullable().unique();
    t.text('former_hash').unique();
    // The folder for received files, once there is one.
    t.integer('folder_id');
    t.integer('opened').notNullable().defaultTo(0);
    t.text('last_opened_at');
    t.text('last_opened_ip');
    // Since when files have arrived about which the office was not notified.
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

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what clients were asked to send';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('requests');
}

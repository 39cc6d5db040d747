import type { Knex } from 'knex';

/** Links that show files and folders to people outside the firm. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_links', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    // The person whose access rights limit what a recipient sees.
    t.integer('made_by').notNullable().references('users.id');
    // The client, if all of it belonged to one client when it was shared.
    t.integer('client_id');
    // SHA-256 of the token; only people with the link have the token itself.
    t.text('token_hash').notNullable().unique();
    // `anyone` who has the link, or the people `named` in share_recipients.
    t.text('audience').notNullable();
    // `view` or `download`.
    t.text('mode').notNullable();
    t.text('password_hash');
    t.integer('max_downloads');
    t.integer('downloads').notNullable().defaultTo(0);
    t.integer('notify').notNullable();
    t.integer('opened').notNullable().defaultTo(0);
    t.text('last_opened_at');
    t.text('last_opened_ip');
    t.text('last_opened_by');
    // The day in India on which its maker was last told that an anonymous visitor has opened it.
    t.text('told_on');
    t.text('expires_at').notNullable();
    t.text('revoked_at');
    t.integer('revoked_by').references('users.id');
    t.text('created_at').notNullable();
    t.text('updated_at').notNullable();
    t.index(['firm_id', 'id']);
    t.index(['made_by']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'links by which files were shared';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('share_links');
}

import type { Knex } from 'knex';

/** Links by which people outside of the firm are shown files and folders. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_links', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    // Through whose eyes a recipient looks.
    t.integer('made_by').notNullable().references('users.id');
    // The one client to whom all of it belonged when it was shared.
    t.integer('client_id');
    // SHA-256 of the token, which nobody has but who was given the link.
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
    // The day in India on which its maker was last told that somebody without a name has opened it.
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

/** What going down takes from a vault. */
export const lost = 'links by which files were shared';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('share_links');
}

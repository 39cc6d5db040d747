import type { Knex } from 'knex';

/** WebDAV locks of programs on files and folders; each expires. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('dav_locks', (t) => {
    t.text('token').primary();
    t.integer('firm_id').notNullable().references('firms.id').onDelete('CASCADE');
    t.integer('item_id').notNullable().references('item_rows.id').onDelete('CASCADE').index();
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    t.integer('app_password_id').notNullable().references('app_passwords.id').onDelete('CASCADE').index();
    t.boolean('shared').notNullable();
    t.boolean('deep').notNullable();
    // The owner as stated by the program, in XML.
    t.text('owner').notNullable();
    t.integer('seconds').notNullable();
    t.text('expires_at').notNullable();
    t.index(['firm_id', 'expires_at']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'locks that programs hold on files through the drive';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('dav_locks');
}

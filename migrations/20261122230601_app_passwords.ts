import type { Knex } from 'knex';

/** App passwords with which programs use WebDAV: their hashes, permissions and last use. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('app_passwords', (t) => {
    t.increments('id');
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    t.text('name').notNullable();
    t.text('token_hash').notNullable().unique();
    t.boolean('read_only').notNullable();
    // The only folder that it opens, with which it is deleted; null for the whole vault.
    t.integer('folder_id').references('item_rows.id').onDelete('CASCADE').index();
    t.text('created_at').notNullable();
    t.text('last_used_at');
    t.text('last_ip');
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'app passwords, by which programs open the vault as a drive; people make new ones';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('app_passwords');
}

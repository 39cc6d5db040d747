import type { Knex } from 'knex';

/** Passwords by which programs open the vault as a drive: only their hashes, what each may do, and when it was used. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('app_passwords', (t) => {
    t.increments('id');
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    t.text('name').notNullable();
    t.text('token_hash').notNullable().unique();
    t.boolean('read_only').notNullable();
    // The only folder that it opens; null for the whole vault. With the folder it ends.
    t.integer('folder_id').references('item_rows.id').onDelete('CASCADE').index();
    t.text('created_at').notNullable();
    t.text('last_used_at');
    t.text('last_ip');
  });
}

/** What going down takes from a vault. */
export const lost = 'app passwords, by which programs open the vault as a drive; people make new ones';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('app_passwords');
}

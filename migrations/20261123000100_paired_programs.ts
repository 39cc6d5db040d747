import type { Knex } from 'knex';

/** Uploader programs paired with a user: hashes of their tokens, and their names, platforms and versions. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('paired_programs', (t) => {
    t.increments('id');
    t.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    t.text('name').notNullable();
    t.text('token_hash').notNullable().unique();
    t.text('platform').notNullable();
    t.text('version').notNullable();
    t.text('created_at').notNullable();
    t.text('last_used_at').notNullable();
    t.text('last_ip').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which programs are connected; people connect them again';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('paired_programs');
}

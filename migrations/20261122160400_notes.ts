import type { Knex } from 'knex';

/** Notes of people of the firm about an item, deleted with the item. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('notes', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('item_id').notNullable().references('item_rows.id').onDelete('CASCADE');
    t.integer('user_id').notNullable().references('users.id');
    t.text('text').notNullable();
    t.text('created_at').notNullable();
    // Null for a note that was never edited.
    t.text('edited_at');
    t.index(['item_id', 'id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'notes on files and folders';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('notes');
}

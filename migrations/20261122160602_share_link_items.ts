import type { Knex } from 'knex';

/** The items that each link shows: files, and folders with their present contents. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_link_items', (t) => {
    t.integer('link_id').notNullable().references('share_links.id').onDelete('CASCADE');
    t.integer('item_id').notNullable().references('item_rows.id').onDelete('CASCADE');
    t.primary(['link_id', 'item_id']);
    t.index(['item_id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what was shared by links';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('share_link_items');
}

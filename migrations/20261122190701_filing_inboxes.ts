import type { Knex } from 'knex';

/** Inbox folders whose documents are to be filed, whether certain ones are filed automatically, and in whose name. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('filing_inboxes', (t) => {
    t.integer('folder_id').primary().references('item_rows.id').onDelete('CASCADE');
    t.integer('firm_id').notNullable().references('firms.id');
    t.boolean('by_itself').notNullable();
    t.integer('set_by').notNullable().references('users.id');
    t.text('set_at').notNullable();
    t.index(['firm_id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which folders are inboxes';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('filing_inboxes');
}

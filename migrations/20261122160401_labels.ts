import type { Knex } from 'knex';

/** Labels of a firm, and the items that have them. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('labels', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('name').notNullable();
    // The name for comparison, without case.
    t.text('name_key').notNullable();
    t.text('colour').notNullable();
    t.text('created_at').notNullable();
    t.unique(['firm_id', 'name_key']);
  });
  await knex.schema.createTable('item_labels', (t) => {
    t.integer('item_id').notNullable().references('item_rows.id').onDelete('CASCADE');
    t.integer('label_id').notNullable().references('labels.id').onDelete('CASCADE');
    t.primary(['item_id', 'label_id']);
    t.index(['label_id', 'item_id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'labels, and which files and folders bear them';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('item_labels');
  await knex.schema.dropTable('labels');
}

import type { Knex } from 'knex';

/** The former folder, name and client of each filed document, and where it was filed. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('filed_items', (t) => {
    t.integer('run_id').notNullable().references('filing_runs.id').onDelete('CASCADE');
    t.integer('item_id').notNullable().references('item_rows.id').onDelete('CASCADE');
    t.integer('from_parent');
    t.text('from_name').notNullable();
    t.integer('from_client');
    t.integer('to_parent');
    t.text('to_name').notNullable();
    t.integer('to_client');
    t.primary(['run_id', 'item_id']);
    t.index(['item_id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'where documents lay before they were filed; they stay where they are';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('filed_items');
}

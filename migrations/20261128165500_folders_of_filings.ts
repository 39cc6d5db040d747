import type { Knex } from 'knex';

/** The folders that a filing made, which its undo removes when they are empty. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('filed_folders', (t) => {
    t.bigInteger('run_id').notNullable().references('filing_runs.id').onDelete('CASCADE');
    t.bigInteger('item_id').notNullable().references('item_rows.id').onDelete('CASCADE');
    t.primary(['run_id', 'item_id']);
    t.index(['item_id']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'which folders a filing made; an undo leaves them';

export const down = (knex: Knex): Promise<void> => knex.schema.dropTable('filed_folders');

import type { Knex } from 'knex';

const ITEMS =
  'CREATE VIEW items AS SELECT * FROM item_rows WHERE id NOT IN (SELECT item_id FROM hidden_items)';

/** When a file was last modified at its source, as the sender stated; null if unknown. */
export async function up(knex: Knex): Promise<void> {
  // The view is created again, since its columns were fixed when it was created.
  await knex.raw('DROP VIEW items');
  await knex.schema.alterTable('item_rows', (t) => {
    t.text('original_at');
  });
  await knex.raw(ITEMS);
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'the dates that files had where they came from';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP VIEW items');
  // By SQL: knex would copy the table and drop the old one, with all rows that refer to it.
  await knex.raw('ALTER TABLE item_rows DROP COLUMN original_at');
  await knex.raw(ITEMS);
}

import type { Knex } from 'knex';

const ITEMS =
  'CREATE VIEW items AS SELECT * FROM item_rows WHERE id NOT IN (SELECT item_id FROM hidden_items)';

/** When a file was last changed where it came from, as its sender said; null where nobody did. */
export async function up(knex: Knex): Promise<void> {
  // A view's columns are those that there were when it was made.
  await knex.raw('DROP VIEW items');
  await knex.schema.alterTable('item_rows', (t) => {
    t.text('original_at');
  });
  await knex.raw(ITEMS);
}

/** What going down takes from a vault. */
export const lost = 'the dates that files had where they came from';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP VIEW items');
  // In place: knex would make the table anew and delete the old one, with all that refers to its rows.
  await knex.raw('ALTER TABLE item_rows DROP COLUMN original_at');
  await knex.raw(ITEMS);
}

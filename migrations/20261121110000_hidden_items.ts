import type { Knex } from 'knex';

/**
 * `items` becomes what is there for somebody: rows that are still being planted, or are on their way out, stand in
 * `item_rows` only. So one small change shows or takes away a tree of any size, and no query can forget to look.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.renameTable('items', 'item_rows');
  await knex.schema.createTable('hidden_items', (t) => {
    // No reference, which would be looked up for each: ids are never given twice.
    t.integer('item_id').primary();
    // The top of the tree that is being planted; null for what is to be deleted.
    t.integer('planting');
  });
  await knex.raw(
    'CREATE VIEW items AS SELECT * FROM item_rows WHERE id NOT IN (SELECT item_id FROM hidden_items)',
  );
  // What a folder holds is counted and weighed in here alone, without the names.
  await knex.raw('CREATE INDEX items_inside ON item_rows (parent_id, file_type, file_size)');
  // Until now what was being planted belonged to firm 0.
  await knex.raw('INSERT INTO hidden_items (item_id) SELECT id FROM item_rows WHERE firm_id = 0');
}

/** What going down takes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await deleteHidden(knex);
  await knex.raw('DROP INDEX items_inside');
  await knex.raw('DROP VIEW items');
  await knex.schema.dropTable('hidden_items');
  await knex.schema.renameTable('item_rows', 'items');
}

/** What nobody sees any more, or not yet, must not come back: rows of deleted items, and of trees half planted. */
async function deleteHidden(knex: Knex): Promise<void> {
  await knex.raw(
    `INSERT OR IGNORE INTO discarded_blobs (blob_id, discarded_at)
     SELECT blob_id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM item_rows
     WHERE blob_id IS NOT NULL AND id IN (SELECT item_id FROM hidden_items)`,
  );
  await knex.raw('DELETE FROM item_search WHERE rowid IN (SELECT item_id FROM hidden_items)');
  // All in one statement, so that no order has to be kept between folders and what lies in them.
  await knex.raw('DELETE FROM item_rows WHERE id IN (SELECT item_id FROM hidden_items)');
}

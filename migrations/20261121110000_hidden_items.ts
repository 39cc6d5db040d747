import type { Knex } from 'knex';

/**
 * `items` becomes a view of the visible rows: rows of unfinished extractions and rows being deleted are only in
 * `item_rows`. So one small change shows or hides a tree of any size, and no query can forget the condition.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.renameTable('items', 'item_rows');
  await knex.schema.createTable('hidden_items', (t) => {
    // No foreign key, which would be checked for each row; ids are never reused.
    t.integer('item_id').primary();
    // The top of the tree that is being extracted; null for rows to be deleted.
    t.integer('planting');
  });
  await knex.raw(
    'CREATE VIEW items AS SELECT * FROM item_rows WHERE id NOT IN (SELECT item_id FROM hidden_items)',
  );
  // A covering index for the number and size of the contents of a folder.
  await knex.raw('CREATE INDEX items_inside ON item_rows (parent_id, file_type, file_size)');
  // Until now rows of unfinished extractions belonged to firm 0.
  await knex.raw('INSERT INTO hidden_items (item_id) SELECT id FROM item_rows WHERE firm_id = 0');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await deleteHidden(knex);
  await knex.raw('DROP INDEX items_inside');
  await knex.raw('DROP VIEW items');
  await knex.schema.dropTable('hidden_items');
  await knex.schema.renameTable('item_rows', 'items');
}

/** Hidden rows must not reappear: those of deleted items and of unfinished extractions. */
async function deleteHidden(knex: Knex): Promise<void> {
  await knex.raw(
    `INSERT OR IGNORE INTO discarded_blobs (blob_id, discarded_at)
     SELECT blob_id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM item_rows
     WHERE blob_id IS NOT NULL AND id IN (SELECT item_id FROM hidden_items)`,
  );
  await knex.raw('DELETE FROM item_search WHERE rowid IN (SELECT item_id FROM hidden_items)');
  // In one statement, so that the order of folders and their contents does not matter.
  await knex.raw('DELETE FROM item_rows WHERE id IN (SELECT item_id FROM hidden_items)');
}

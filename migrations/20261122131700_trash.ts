import type { Knex } from 'knex';

/**
 * Trash: deleted items stay for a while, hidden like items being purged but with a mark of their own, so that a tree of
 * any size is restored by one small change.
 */
export async function up(knex: Knex): Promise<void> {
  // By SQL, since knex would copy the table. The top of the deleted tree; null outside Trash.
  await knex.raw('ALTER TABLE hidden_items ADD COLUMN trash integer');
  await knex.raw('CREATE INDEX hidden_in_trash ON hidden_items (trash) WHERE trash IS NOT NULL');
  // Finds the rows to be purged.
  await knex.raw(
    'CREATE INDEX hidden_for_good ON hidden_items (item_id) WHERE planting IS NULL AND trash IS NULL',
  );
  await knex.schema.createTable('trash', (t) => {
    // Ascending in the order of deletion.
    t.increments('id');
    t.integer('item_id').notNullable().unique().references('item_rows.id');
    t.integer('firm_id').notNullable().references('firms.id');
    // The name for search, and its sort key.
    t.text('folded_name').notNullable();
    t.text('sort_key').notNullable();
    // The path of folders as JSON, root first: the former place, also when these folders are gone.
    t.text('folders').notNullable();
    // Files and bytes by type, as JSON, which a restore adds to the totals again.
    t.text('totals').notNullable();
    t.integer('files').notNullable();
    t.bigInteger('bytes').notNullable();
    // Whether contents may belong to another client than the item.
    t.integer('mixed').notNullable();
    t.integer('deleted_by').notNullable().references('users.id');
    t.text('deleted_at').notNullable();
    t.text('purge_at').notNullable();
    t.index(['firm_id', 'id']);
    t.index(['firm_id', 'sort_key', 'id']);
    t.index(['firm_id', 'bytes', 'id']);
    t.index(['firm_id', 'deleted_by', 'id']);
    t.index(['purge_at', 'id']);
  });
  await knex.schema.createTable('trash_usage', (t) => {
    t.integer('firm_id').primary().references('firms.id');
    t.integer('items').notNullable();
    t.integer('files').notNullable();
    t.bigInteger('bytes').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what lies in Trash';

/** An older version has no Trash: its items are purged, as that version would have deleted them. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('trash_usage');
  await knex.schema.dropTable('trash');
  for (const name of ['hidden_in_trash', 'hidden_for_good']) await knex.raw(`DROP INDEX ${name}`);
  await knex.raw('ALTER TABLE hidden_items DROP COLUMN trash');
}

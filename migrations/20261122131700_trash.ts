import type { Knex } from 'knex';

/**
 * What is deleted stays for a while: hidden like what is being purged, but with a mark of its own, so that a tree of any
 * size comes back by one small change.
 */
export async function up(knex: Knex): Promise<void> {
  // In place: knex would make the table anew. The item under which it was deleted; null for what is not in Trash.
  await knex.raw('ALTER TABLE hidden_items ADD COLUMN trash integer');
  await knex.raw('CREATE INDEX hidden_in_trash ON hidden_items (trash) WHERE trash IS NOT NULL');
  // What is to be purged is found among what is not.
  await knex.raw(
    'CREATE INDEX hidden_for_good ON hidden_items (item_id) WHERE planting IS NULL AND trash IS NULL',
  );
  await knex.schema.createTable('trash', (t) => {
    // What was deleted later has the greater one.
    t.increments('id');
    t.integer('item_id').notNullable().unique().references('item_rows.id');
    t.integer('firm_id').notNullable().references('firms.id');
    // As searched and as ordered.
    t.text('folded_name').notNullable();
    t.text('sort_key').notNullable();
    // The folders above, root first, as JSON: where it was, also once these are gone.
    t.text('folders').notNullable();
    // Files and bytes by type, as JSON: what the figures get back.
    t.text('totals').notNullable();
    t.integer('files').notNullable();
    t.bigInteger('bytes').notNullable();
    // Whether something inside may belong to another client than the item itself.
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

/** What going down takes from a vault. */
export const lost = 'what lies in Trash';

/** An older version knows no Trash: what lies there is deleted for good, as it would have been by that version. */
export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('trash_usage');
  await knex.schema.dropTable('trash');
  for (const name of ['hidden_in_trash', 'hidden_for_good']) await knex.raw(`DROP INDEX ${name}`);
  await knex.raw('ALTER TABLE hidden_items DROP COLUMN trash');
}

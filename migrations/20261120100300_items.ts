import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('items', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('parent_id').references('items.id');
    t.text('type').notNullable();
    t.text('name').notNullable();
    // The name for comparison: names in a folder must differ in more than case.
    t.text('name_key').notNullable();
    // The sort key of the name, with numbers by value.
    t.text('sort_key').notNullable();
    t.text('file_type');
    t.bigInteger('file_size');
    t.text('blob_id').unique();
    t.text('sha256');
    t.integer('client_id').references('clients.id').onDelete('SET NULL');
    t.integer('owner_id').notNullable().references('users.id');
    t.text('created_at').notNullable();
    t.text('modified_at').notNullable();
    t.index(['firm_id', 'type', 'modified_at', 'id']);
    t.index(['client_id']);
  });
  // The listing of a folder in its order, folders before files. `parent_id` comes first, so that the children of a
  // deleted row are found by it too.
  await knex.raw('CREATE INDEX items_listing ON items (parent_id, firm_id, type DESC, sort_key)');
  // The root has no id, and NULLs are all different in a unique index.
  await knex.raw('CREATE UNIQUE INDEX items_name ON items (firm_id, coalesce(parent_id, 0), name_key)');
  await knex.schema.createTable('storage_usage', (t) => {
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('file_type').notNullable();
    t.integer('files').notNullable();
    t.bigInteger('bytes').notNullable();
    t.primary(['firm_id', 'file_type']);
  });
  // Blobs without an item row any more; a sweep deletes them and then these rows.
  await knex.schema.createTable('discarded_blobs', (t) => {
    t.text('blob_id').primary();
    t.text('discarded_at').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'all folders and files';

export async function down(knex: Knex): Promise<void> {
  for (const table of ['discarded_blobs', 'storage_usage', 'items']) await knex.schema.dropTable(table);
}

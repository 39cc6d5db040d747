import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('items', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('parent_id').references('items.id');
    t.text('type').notNullable();
    t.text('name').notNullable();
    // The name as compared: two names of a folder may not be the same ignoring case.
    t.text('name_key').notNullable();
    // The name as ordered: numbers by value.
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
  // A folder's listing, read in its order: folders before files. With the parent first, it also finds the children
  // of a row that is deleted.
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
  // Blobs whose row is gone; a sweep deletes them and then these rows.
  await knex.schema.createTable('discarded_blobs', (t) => {
    t.text('blob_id').primary();
    t.text('discarded_at').notNullable();
  });
}

/** What going down takes from a vault. */
export const lost = 'all folders and files';

export async function down(knex: Knex): Promise<void> {
  for (const table of ['discarded_blobs', 'storage_usage', 'items']) await knex.schema.dropTable(table);
}

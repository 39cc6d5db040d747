import type { Knex } from 'knex';

/** Earlier versions of a file, kept for a while or for ever. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('versions', (t) => {
    // Ascending in the order of replacement, independent of the clock.
    t.increments('id');
    t.integer('item_id').notNullable().references('item_rows.id');
    t.integer('firm_id').notNullable().references('firms.id');
    // The name of the file at that time.
    t.text('name').notNullable();
    t.text('file_type').notNullable();
    t.bigInteger('file_size').notNullable();
    // Not unique: a restored content belongs to the file and to the version it came from.
    t.text('blob_id').notNullable().index();
    t.text('sha256').notNullable();
    t.bigInteger('crc32');
    t.text('original_at');
    // Who uploaded the content, and when.
    t.integer('user_id').notNullable().references('users.id');
    t.text('created_at').notNullable();
    // The day of the upload in India: `2026-11-22`.
    t.text('day').notNullable();
    t.text('replaced_at').notNullable();
    // For a restored version: when its content was first uploaded.
    t.text('restored_from');
    // The label of a version that is kept for ever.
    t.text('kept_as');
    // The storage that it uses: 0 if another row, or the file itself, has the same blob.
    t.bigInteger('bytes').notNullable();
    // The rule by which it was checked when it was old enough to be thinned out; '' before.
    t.text('thinned_by').notNullable().defaultTo('');
    t.index(['item_id', 'id'], 'versions_of_item');
    t.index(['firm_id', 'sha256'], 'versions_content');
    t.index(['firm_id', 'item_id', 'bytes'], 'versions_of_firm');
    t.index(['thinned_by', 'replaced_at', 'item_id'], 'versions_to_thin');
  });
  // Data about the present content of files that were replaced, or whose content is kept for ever.
  await knex.schema.createTable('present_contents', (t) => {
    t.integer('item_id').primary().references('item_rows.id');
    t.integer('user_id').notNullable().references('users.id');
    t.text('restored_from');
    t.text('kept_as');
  });
  await knex.schema.createTable('version_usage', (t) => {
    t.integer('firm_id').primary().references('firms.id');
    t.bigInteger('bytes').notNullable();
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'earlier versions of files';

/** An older version knows only the present contents; its sweep deletes the bytes of the others. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `INSERT INTO discarded_blobs (blob_id, discarded_at)
     SELECT DISTINCT blob_id, replaced_at FROM versions
     WHERE blob_id NOT IN (SELECT blob_id FROM item_rows WHERE blob_id IS NOT NULL) ON CONFLICT DO NOTHING`,
  );
  for (const table of ['version_usage', 'present_contents', 'versions']) await knex.schema.dropTable(table);
}

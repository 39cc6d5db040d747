import type { Knex } from 'knex';

/** What a file held before it was replaced stays with it, for a while or for ever. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('versions', (t) => {
    // What was replaced later has the greater one, whatever the clock said.
    t.increments('id');
    t.integer('item_id').notNullable().references('item_rows.id');
    t.integer('firm_id').notNullable().references('firms.id');
    // As the file was called then.
    t.text('name').notNullable();
    t.text('file_type').notNullable();
    t.bigInteger('file_size').notNullable();
    // Not unique: content that was restored is the file's, and that of the version from which it came.
    t.text('blob_id').notNullable().index();
    t.text('sha256').notNullable();
    t.bigInteger('crc32');
    t.text('original_at');
    // Who brought the content in, and when.
    t.integer('user_id').notNullable().references('users.id');
    t.text('created_at').notNullable();
    // The day in India on which it came in: `2026-11-22`.
    t.text('day').notNullable();
    t.text('replaced_at').notNullable();
    // When the content had come in that was restored to be this one.
    t.text('restored_from');
    // The word with which it is kept for ever.
    t.text('kept_as');
    // What it takes of the room: 0 where another row, or the file itself, has the same blob.
    t.bigInteger('bytes').notNullable();
    // The rule by which it was looked at once it was old enough to be thinned out; '' before.
    t.text('thinned_by').notNullable().defaultTo('');
    t.index(['item_id', 'id'], 'versions_of_item');
    t.index(['firm_id', 'sha256'], 'versions_content');
    t.index(['firm_id', 'item_id', 'bytes'], 'versions_of_firm');
    t.index(['thinned_by', 'replaced_at', 'item_id'], 'versions_to_thin');
  });
  // What is known of the present content of files that were replaced, or that are to be kept.
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

/** What going down takes from a vault. */
export const lost = 'earlier versions of files';

/** An older version knows the present contents alone: the bytes of the others are left to its sweep. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `INSERT INTO discarded_blobs (blob_id, discarded_at)
     SELECT DISTINCT blob_id, replaced_at FROM versions
     WHERE blob_id NOT IN (SELECT blob_id FROM item_rows WHERE blob_id IS NOT NULL) ON CONFLICT DO NOTHING`,
  );
  for (const table of ['version_usage', 'present_contents', 'versions']) await knex.schema.dropTable(table);
}

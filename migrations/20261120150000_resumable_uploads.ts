import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('storage_reservations', (t) => {
    // Whether the reservation outlives the process that made it.
    t.boolean('lasting').notNullable().defaultTo(false);
  });
  await knex.schema.createTable('resumable_uploads', (t) => {
    t.text('id').primary();
    t.integer('firm_id').notNullable().references('firms.id');
    t.integer('user_id').notNullable().references('users.id');
    t.text('name').notNullable();
    t.bigInteger('size').notNullable();
    // Bytes that are stored and listed as parts.
    t.bigInteger('received').notNullable();
    // The fields of the upload, as the client sent them.
    t.text('fields').notNullable();
    t.integer('reservation_id');
    t.integer('item_id').references('items.id').onDelete('SET NULL').index();
    t.integer('extraction_id');
    t.text('touched_at').notNullable().index();
    t.text('finished_at');
  });
  await knex.schema.createTable('resumable_parts', (t) => {
    t.text('upload_id').notNullable().references('resumable_uploads.id').onDelete('CASCADE');
    t.bigInteger('start').notNullable();
    t.bigInteger('bytes').notNullable();
    t.text('blob_id').notNullable().unique();
    t.primary(['upload_id', 'start']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'uploads that are half-way';

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `INSERT OR IGNORE INTO discarded_blobs (blob_id, discarded_at)
     SELECT blob_id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM resumable_parts`,
  );
  await knex.schema.dropTable('resumable_parts');
  await knex.schema.dropTable('resumable_uploads');
  // The storage reserved for those uploads.
  await knex('storage_reservations').where({ lasting: true }).delete();
  await knex.raw('ALTER TABLE storage_reservations DROP COLUMN lasting');
}

import type { Knex } from 'knex';

/** Files that people outside the firm have sent completely. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('arrivals', (t) => {
    t.increments('id');
    t.integer('firm_id').notNullable().references('firms.id');
    // The link by which it came: `request:17`.
    t.text('door').notNullable();
    // The requested document it belongs to; null if nothing in particular was requested.
    t.integer('slot');
    // The batch of photos that form one document, and the position in it.
    t.text('batch');
    t.integer('position').notNullable();
    // The resumable upload by which it came.
    t.text('upload_id').unique();
    t.text('name').notNullable();
    t.bigInteger('size').notNullable();
    t.text('sha256').notNullable();
    t.bigInteger('crc32');
    t.text('original_at');
    // `staged` and `held` have the bytes here; `filed` as the item; `refused` nowhere.
    t.text('state').notNullable();
    t.text('reason');
    t.text('blob_id').index();
    t.integer('reservation_id');
    t.integer('item_id').references('item_rows.id').onDelete('SET NULL').index();
    // 1 once the document was requested again: the same file then counts as a new one.
    t.integer('superseded').notNullable().defaultTo(0);
    // The sender as shown in the history.
    t.text('sender').notNullable();
    t.text('created_at').notNullable();
    t.text('touched_at').notNullable();
    t.index(['door', 'slot', 'id']);
    t.index(['state', 'touched_at']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what clients have sent and nobody has filed yet, and who had sent what';

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `INSERT OR IGNORE INTO discarded_blobs (blob_id, discarded_at)
     SELECT blob_id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM arrivals WHERE blob_id IS NOT NULL`,
  );
  await knex('storage_reservations')
    .whereIn('id', knex('arrivals').whereNotNull('reservation_id').select('reservation_id'))
    .delete();
  await knex.schema.dropTable('arrivals');
}

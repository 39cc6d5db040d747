import type { Knex } from 'knex';

/** Files that nobody may open: infected, or not scanned yet. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('quarantined_blobs', (t) => {
    t.text('blob_id').primary();
    t.integer('firm_id').notNullable().references('firms.id');
    // The name at upload.
    t.text('name').notNullable();
    t.integer('bytes').notNullable();
    // `waiting` for the scanner, `infected`, or `too_large` for it.
    t.text('state').notNullable();
    // The name of the virus, as the scanner reports it.
    t.text('found');
    // `outside` or `office`.
    t.text('source').notNullable();
    t.integer('tries').notNullable().defaultTo(0);
    t.text('next_try_at').notNullable();
    // When the admins were told.
    t.text('told_at');
    t.text('created_at').notNullable();
    t.index(['firm_id', 'created_at']);
    t.index(['state', 'next_try_at']);
  });
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'what the virus scanner holds back: it could be opened then';

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('quarantined_blobs');
}

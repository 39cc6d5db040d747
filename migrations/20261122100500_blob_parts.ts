import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  // The blobs of which a joined blob consists; they are deleted after it.
  await knex.schema.createTable('blob_parts', (t) => {
    t.text('part_id').primary();
    t.text('blob_id').notNullable().index();
  });
}

/** What a step down (`down`) deletes from a vault; it is refused if files are stored in parts. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  if (await knex('blob_parts').first('part_id')) {
    throw new Error(
      'Files are stored in parts here, which an older version cannot read. Nothing was changed.',
    );
  }
  await knex.schema.dropTable('blob_parts');
}

import type { Knex } from 'knex';

/** Pictures of files, identified by the hash of the content, so that copies of a file share them. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('renditions', (t) => {
    t.integer('firm_id').notNullable().references('firms.id');
    t.text('sha256').notNullable();
    // 'thumbnail' or 'page', and the number of the page.
    t.text('kind').notNullable();
    t.integer('page').notNullable();
    // Null if no picture could be made, so that it is not tried again.
    t.text('blob_id').unique();
    t.integer('bytes');
    t.integer('pages');
    t.text('made_at').notNullable();
    t.primary(['firm_id', 'sha256', 'kind', 'page']);
  });
  await knex.raw('CREATE INDEX items_content ON items (firm_id, sha256) WHERE sha256 IS NOT NULL');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'small pictures of files, which are made again when somebody looks';

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    `INSERT OR IGNORE INTO discarded_blobs (blob_id, discarded_at)
     SELECT blob_id, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') FROM renditions WHERE blob_id IS NOT NULL`,
  );
  await knex.raw('DROP INDEX items_content');
  await knex.schema.dropTable('renditions');
}

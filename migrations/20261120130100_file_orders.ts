import type { Knex } from 'knex';

/** Indexes for the orders and filters of the list of all files. One by date exists already. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`CREATE INDEX files_by_name ON items (firm_id, sort_key, id) WHERE type = 'file'`);
  await knex.raw(`CREATE INDEX files_by_size ON items (firm_id, file_size, id) WHERE type = 'file'`);
  await knex.raw('CREATE INDEX files_of_type ON items (firm_id, file_type) WHERE file_type IS NOT NULL');
  await knex.raw('CREATE INDEX items_of_owner ON items (owner_id)');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  for (const name of ['files_by_name', 'files_by_size', 'files_of_type', 'items_of_owner'])
    await knex.raw(`DROP INDEX ${name}`);
}

import type { Knex } from 'knex';

/** Covering indexes for the filters of all files, with the columns of the other filters. */
export async function up(knex: Knex): Promise<void> {
  for (const name of ['items_client_id_index', 'files_of_type', 'items_of_owner'])
    await knex.raw(`DROP INDEX ${name}`);
  await knex.raw(
    `CREATE INDEX files_of_type ON item_rows (firm_id, file_type, client_id, owner_id, modified_at)
     WHERE file_type IS NOT NULL`,
  );
  await knex.raw('CREATE INDEX items_of_client ON item_rows (client_id, file_type, owner_id, modified_at)');
  await knex.raw('CREATE INDEX items_of_owner ON item_rows (owner_id, file_type, client_id, modified_at)');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  for (const name of ['files_of_type', 'items_of_client', 'items_of_owner'])
    await knex.raw(`DROP INDEX ${name}`);
  await knex.raw('CREATE INDEX files_of_type ON item_rows (firm_id, file_type) WHERE file_type IS NOT NULL');
  await knex.raw('CREATE INDEX items_of_owner ON item_rows (owner_id)');
  await knex.raw('CREATE INDEX items_client_id_index ON item_rows (client_id)');
}

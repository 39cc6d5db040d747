import type { Knex } from 'knex';

const ASKED = 'file_type, client_id, owner_id';

/** Covering indexes for the orders of all files, with the columns of their filters. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('items', (t) => t.dropIndex(['firm_id', 'type', 'modified_at', 'id']));
  for (const name of ['files_by_name', 'files_by_size']) await knex.raw(`DROP INDEX ${name}`);
  await knex.raw(
    `CREATE INDEX files_by_date ON items (firm_id, modified_at, id, ${ASKED}) WHERE type = 'file'`,
  );
  await knex.raw(
    `CREATE INDEX files_by_name ON items (firm_id, sort_key, id, ${ASKED}, modified_at) WHERE type = 'file'`,
  );
  await knex.raw(
    `CREATE INDEX files_by_size ON items (firm_id, file_size, id, ${ASKED}, modified_at) WHERE type = 'file'`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  for (const name of ['files_by_date', 'files_by_name', 'files_by_size'])
    await knex.raw(`DROP INDEX ${name}`);
  await knex.raw(`CREATE INDEX files_by_name ON items (firm_id, sort_key, id) WHERE type = 'file'`);
  await knex.raw(`CREATE INDEX files_by_size ON items (firm_id, file_size, id) WHERE type = 'file'`);
  await knex.schema.alterTable('items', (t) => t.index(['firm_id', 'type', 'modified_at', 'id']));
}

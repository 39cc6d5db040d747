import type { Knex } from 'knex';

const anew = async (knex: Knex, name: string, on: string): Promise<void> => {
  await knex.raw(`DROP INDEX IF EXISTS ${name}`);
  await knex.raw(`CREATE INDEX ${name} ON item_rows ${on}`);
};

/** Covering indexes that find, count and sort the items of a person with assigned clients. */
export async function up(knex: Knex): Promise<void> {
  // All items of few clients, with the columns by which the lists of files filter and sort.
  await anew(
    knex,
    'items_of_scope',
    '(firm_id, scope_client_id, file_type, modified_at, file_size, client_id, owner_id, sort_key)',
  );
  // The number of visible items in a folder.
  await anew(knex, 'items_inside', '(parent_id, file_type, file_size, client_id, scope_client_id)');
  // My Drive in its order: by client for people with few clients, and by firm for the others.
  await anew(
    knex,
    'scope_tops',
    '(firm_id, scope_client_id, type, sort_key, id, parent_id) WHERE scope_top = 1',
  );
  await anew(
    knex,
    'scope_tops_by_name',
    '(firm_id, type DESC, sort_key, id, scope_client_id, parent_id) WHERE scope_top = 1',
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX scope_tops_by_name');
  await anew(knex, 'scope_tops', '(firm_id, scope_client_id) WHERE scope_top = 1');
  await anew(knex, 'items_inside', '(parent_id, file_type, file_size, client_id)');
  await anew(knex, 'items_of_scope', '(firm_id, scope_client_id, file_type, file_size)');
}

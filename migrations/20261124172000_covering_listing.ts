import type { Knex } from 'knex';

/** `items_listing` was the order of a folder by name only. */
const BY_NAME = '(parent_id, firm_id, type DESC, sort_key)';

/**
 * The index of a folder's items also holds the other columns that lists are sorted by, and the client that decides who sees
 * an item: a page of a large folder is found without reading each of its rows.
 */
const COVERING = {
  // SQLite adds the id itself.
  sqlite: '(parent_id, firm_id, type DESC, sort_key, file_size, modified_at, owner_id, scope_client_id)',
  // Columns behind INCLUDE are in no order, so that updates compare and sort less.
  postgres: `${BY_NAME} INCLUDE (id, file_size, modified_at, owner_id, scope_client_id)`,
};

async function replaceIndex(knex: Knex, columns: string): Promise<void> {
  await knex.raw('DROP INDEX items_listing');
  await knex.raw(`CREATE INDEX items_listing ON item_rows ${columns}`);
}

export const up = (knex: Knex): Promise<void> =>
  replaceIndex(knex, knex.client.dialect === 'postgresql' ? COVERING.postgres : COVERING.sqlite);

export const lost = null;

export const down = (knex: Knex): Promise<void> => replaceIndex(knex, BY_NAME);

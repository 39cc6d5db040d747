import type { Knex } from 'knex';

/** What a folder holds is counted by client too, still without reading the rows themselves. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX items_inside');
  await knex.raw('CREATE INDEX items_inside ON item_rows (parent_id, file_type, file_size, client_id)');
}

/** What going down takes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX items_inside');
  await knex.raw('CREATE INDEX items_inside ON item_rows (parent_id, file_type, file_size)');
}

import type { Knex } from 'knex';

/** The contents of a folder are counted by client too, in a covering index. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX items_inside');
  await knex.raw('CREATE INDEX items_inside ON item_rows (parent_id, file_type, file_size, client_id)');
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX items_inside');
  await knex.raw('CREATE INDEX items_inside ON item_rows (parent_id, file_type, file_size)');
}

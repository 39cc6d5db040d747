import type { Knex } from 'knex';

/** A covering index for the size and years of the files of a client. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX items_of_client');
  await knex.raw(
    'CREATE INDEX items_of_client ON item_rows (client_id, file_type, owner_id, modified_at, original_at, file_size)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX items_of_client');
  await knex.raw('CREATE INDEX items_of_client ON item_rows (client_id, file_type, owner_id, modified_at)');
}

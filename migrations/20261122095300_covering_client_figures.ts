import type { Knex } from 'knex';

/** What a client's files weigh, and of which years they are, is read from the index alone. */
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

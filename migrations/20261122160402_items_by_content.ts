import type { Knex } from 'knex';

/** What lies twice in a firm is counted in this index alone, also for who sees some clients only. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `CREATE INDEX items_by_content ON item_rows (firm_id, sha256, file_size, scope_client_id, id)
     WHERE sha256 IS NOT NULL`,
  );
}

/** What going down takes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX items_by_content');
}

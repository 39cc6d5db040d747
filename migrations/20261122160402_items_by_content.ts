import type { Knex } from 'knex';

/** A covering index that counts duplicates of a firm, also for people who see only some clients. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    `CREATE INDEX items_by_content ON item_rows (firm_id, sha256, file_size, scope_client_id, id)
     WHERE sha256 IS NOT NULL`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = null;

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX items_by_content');
}

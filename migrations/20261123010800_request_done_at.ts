import type { Knex } from 'knex';

/** When the client finished the request; null again once the office asks for more. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE requests ADD COLUMN done_at TEXT');
  // A client with a receipt has finished, unless something was requested again since.
  await knex.raw(`
    UPDATE requests SET done_at = (SELECT max(made_at) FROM request_receipts WHERE request_id = requests.id)
    WHERE NOT EXISTS (
      SELECT 1 FROM request_rows WHERE request_id = requests.id AND state IN ('wanted', 'returned')
      AND updated_at > (SELECT max(made_at) FROM request_receipts WHERE request_id = requests.id)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE requests DROP COLUMN done_at');
}

import type { Knex } from 'knex';

/** The language in which a client is written to: at first that of the last request. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("ALTER TABLE clients ADD COLUMN language text NOT NULL DEFAULT 'en'");
  await knex.raw(
    `UPDATE clients SET language = 'hi'
     WHERE (SELECT r.language FROM requests r WHERE r.client_id = clients.id ORDER BY r.id DESC LIMIT 1) = 'hi'`,
  );
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'in which language each client is written to';

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE clients DROP COLUMN language');
}

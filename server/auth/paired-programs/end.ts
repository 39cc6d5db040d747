import type { Knex } from 'knex';

/** Disconnects all programs of a user and deletes their pairing codes. */
export async function endPrograms(trx: Knex.Transaction, userId: number): Promise<void> {
  for (const table of ['paired_programs', 'pairing_codes'])
    await trx(table).where({ user_id: userId }).delete();
}

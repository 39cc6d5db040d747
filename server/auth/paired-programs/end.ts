import type { Knex } from 'knex';

/** Ends all programs of a person, and the codes for more. */
export async function endPrograms(trx: Knex.Transaction, userId: number): Promise<void> {
  for (const table of ['paired_programs', 'pairing_codes'])
    await trx(table).where({ user_id: userId }).delete();
}

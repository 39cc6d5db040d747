import type { Knex } from 'knex';

/** Deletes the codes of a user by which a program could still be connected. */
export async function endPairing(trx: Knex.Transaction, userId: number): Promise<void> {
  await trx('pairing_codes').where({ user_id: userId }).delete();
}

/** Disconnects all programs of a user and deletes their pairing codes. */
export async function endPrograms(trx: Knex.Transaction, userId: number): Promise<void> {
  await endPairing(trx, userId);
  await trx('paired_programs').where({ user_id: userId }).delete();
}

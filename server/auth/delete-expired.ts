import type { Knex } from 'knex';

/**
 * Deletes what has run out of a table with `expires_at`, whose rows are made for `lifetime` milliseconds. What would
 * last longer was made before the clock was set back, and lasts no longer than what is made now.
 * @returns how many rows are gone.
 */
export async function deleteExpired(
  trx: Knex.Transaction,
  table: string,
  lifetime: number,
  now: Date,
): Promise<number> {
  const expires_at = new Date(now.getTime() + lifetime).toISOString();
  await trx(table).where('expires_at', '>', expires_at).update({ expires_at });
  return trx(table).where('expires_at', '<=', now.toISOString()).delete();
}

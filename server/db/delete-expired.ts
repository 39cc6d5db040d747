import type { Knex } from 'knex';

/**
 * Deletes the expired rows of a table with `expires_at`, whose rows live for `lifetimeMs`. A row that expires later
 * than a new one would was created before the clock was set back: its expiry is first shortened to that of a new row.
 * @returns the number of deleted rows.
 */
export async function deleteExpired(
  trx: Knex.Transaction,
  table: string,
  lifetimeMs: number,
  now: Date,
): Promise<number> {
  const expires_at = new Date(now.getTime() + lifetimeMs).toISOString();
  await trx(table).where('expires_at', '>', expires_at).update({ expires_at });
  return trx(table).where('expires_at', '<=', now.toISOString()).delete();
}

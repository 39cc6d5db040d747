import type { Knex } from 'knex';
import { onPostgres } from '../dialect.ts';

/**
 * Brings all that SQLite's write-ahead log holds into the database's file and empties the log.
 * That of PostgreSQL is its own affair.
 * @returns false while somebody, such as a backup, still reads what is older: then it stays.
 */
export async function emptyLog(db: Knex): Promise<boolean> {
  if (onPostgres) return true;
  const [{ busy }] = await db.raw('PRAGMA wal_checkpoint(TRUNCATE)');
  return busy === 0;
}

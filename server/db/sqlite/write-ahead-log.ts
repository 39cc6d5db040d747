import type { Knex } from 'knex';
import { onPostgres } from '../dialect.ts';

/**
 * Moves the content of SQLite's write-ahead log into the database file and truncates the log. On PostgreSQL it does nothing.
 * @returns false if the log could not be truncated because another connection, such as a backup, reads an older state.
 */
export async function truncateWal(db: Knex): Promise<boolean> {
  if (onPostgres) return true;
  const [{ busy }] = await db.raw('PRAGMA wal_checkpoint(TRUNCATE)');
  return busy === 0;
}

import type { Knex } from 'knex';

/**
 * Brings all that SQLite's write-ahead log holds into the database's file and empties the log.
 * @returns false while somebody, such as a backup, still reads what is older: then it stays.
 */
export async function emptyLog(db: Knex): Promise<boolean> {
  const [{ busy }] = await db.raw('PRAGMA wal_checkpoint(TRUNCATE)');
  return busy === 0;
}

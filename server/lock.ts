import { join } from 'node:path';
import knex from 'knex';

/**
 * Keeps a second server off the same data folder. The lock is SQLite's own on a file beside the data, so the
 * operating system lets go of it when the process ends, however it ends: there is no stale lock to remove.
 * @returns what releases it.
 * @throws when another process holds it.
 */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  const lock = knex({
    client: 'sqlite3',
    connection: { filename: join(dataDir, 'lock.sqlite') },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  });
  try {
    await lock.raw('PRAGMA locking_mode = EXCLUSIVE');
    await lock.raw('BEGIN EXCLUSIVE');
  } catch (error) {
    await lock.destroy();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new Error(
      `Another Almirah is running on ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
      { cause: error },
    );
  }
  return () => lock.destroy();
}

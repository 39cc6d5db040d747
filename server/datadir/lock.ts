import { join } from 'node:path';
import knex from 'knex';
import { QUIET } from '../../knexfile.ts';

/**
 * Takes an exclusive file lock, by SQLite on a file of its own. The operating system releases it when the process ends, however that
 * happens, so no stale lock is ever left.
 * @returns a function that releases it; null while another holder has it.
 */
export async function lockFile(filename: string): Promise<(() => Promise<void>) | null> {
  const lock = knex({
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  });
  try {
    await lock.raw('PRAGMA locking_mode = EXCLUSIVE');
    await lock.raw('BEGIN EXCLUSIVE');
  } catch (error) {
    await lock.destroy();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
  return () => lock.destroy();
}

const lockPath = (dataDir: string): string => join(dataDir, 'lock.sqlite');

/** Whether a server holds the lock of a data folder; false where this user may not look. No file is made. */
export async function isLocked(dataDir: string): Promise<boolean> {
  const filename = lockPath(dataDir);
  const db = knex({
    client: 'sqlite3',
    connection: { filename, flags: ['OPEN_READWRITE'] },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
    log: QUIET,
  });
  try {
    await db.raw('SELECT count(*) FROM sqlite_master');
    return false;
  } catch (error) {
    return (error as { code?: string }).code === 'SQLITE_BUSY';
  } finally {
    await db.destroy();
  }
}

/**
 * Locks a data folder against a second server.
 * @returns a function that releases the lock.
 * @throws while another process holds it.
 */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  const release = await lockFile(lockPath(dataDir));
  if (release) return release;
  throw new Error(
    `Another Almirah is running on ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
  );
}

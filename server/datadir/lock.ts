import { join } from 'node:path';
import knex from 'knex';

/**
 * Takes a lock that is SQLite's own on a file of no other use, so the operating system lets go of it when the process
 * ends, however it ends: there is no stale lock to remove.
 * @returns what releases it; null when another holds it.
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

/**
 * Keeps a second server off the same data folder.
 * @returns what releases it.
 * @throws when another process holds it.
 */
export async function lockDataFolder(dataDir: string): Promise<() => Promise<void>> {
  const release = await lockFile(join(dataDir, 'lock.sqlite'));
  if (release) return release;
  throw new Error(
    `Another Almirah is running on ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
  );
}

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { DATABASE_FILE } from '../../knexfile.ts';
import { isFull } from '../db/errors.ts';
import { purgeRemovedGrams } from '../db/item-search.ts';
import { truncateWal } from '../db/sqlite/write-ahead-log.ts';
import type { MeasureDisk } from './disk-reserve.ts';
import { measureDisk } from './disk-reserve.ts';

const MB = 1024 * 1024;
/** Space beside the two temporary copies: the disk reserve may be written at the same time. */
const SPARE_BYTES = 32 * MB;

/** The `user_version` of a database without remains of deleted rows: it has always been written with `secure_delete`. */
const REWRITTEN = 1;

const isRewritten = async (db: Knex): Promise<boolean> => {
  const [{ user_version }] = await db.raw('PRAGMA user_version');
  return user_version >= REWRITTEN;
};

/** Records that the file has no remains of deleted rows. */
export async function markRewritten(db: Knex): Promise<void> {
  await db.raw(`PRAGMA user_version = ${REWRITTEN}`);
}

/** SQLite's temporary file contains everything unsealed, so it is written in the data folder, which other users cannot read. */
async function vacuum(db: Knex, dataDir: string): Promise<void> {
  await db.raw(`PRAGMA temp_store_directory = '${dataDir.replaceAll("'", "''")}'`);
  await db.raw('PRAGMA temp_store = FILE');
  try {
    await db.raw('VACUUM');
  } finally {
    await db.raw('PRAGMA temp_store = MEMORY');
    await db.raw(`PRAGMA temp_store_directory = ''`);
  }
}

/**
 * Rewrites a database that an older version created, once: that version left deleted rows in unused parts of the file. If it cannot be
 * done now, the log says why, and the next start tries again.
 */
export async function rewriteOnce(
  db: Knex,
  dataDir: string,
  log: Pick<Logger, 'info' | 'warn'>,
  { measure = measureDisk }: { measure?: MeasureDisk } = {},
): Promise<void> {
  if (await isRewritten(db)) return;
  const left = 'What was deleted from the database by an older version is still in its file:';
  await truncateWal(db);
  const { size } = await stat(join(dataDir, DATABASE_FILE));
  const needed = 2 * size + SPARE_BYTES;
  const noRoom = `${left} writing it anew takes ${Math.ceil(needed / MB)} MB of room on the disk. The next start tries again.`;
  const { free } = await measure(dataDir).catch(() => ({ free: Infinity }));
  if (free < needed) return log.warn(noRoom);
  log.info(`Writing the database (${Math.ceil(size / MB)} MB) anew, once, without what was deleted from it.`);
  try {
    await purgeRemovedGrams(db);
    await vacuum(db, dataDir);
  } catch (error) {
    if (isFull(error)) return log.warn(noRoom);
    return log.warn({ err: error }, `${left} it could not be written anew. The next start tries again.`);
  }
  if (!(await truncateWal(db))) {
    return log.warn(`${left} another process was reading it, such as a backup. The next start tries again.`);
  }
  await markRewritten(db);
  log.info(
    'What was deleted from the database is no longer in its file. Copies that were made before, ' +
      `in ${join(dataDir, 'backups')} and in your backups, hold what they held.`,
  );
}

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { DATABASE_FILE } from '../../knexfile.ts';
import { isFull } from './copies.ts';
import { dropRemoved } from '../db/full-text.ts';
import { emptyLog } from '../db/sqlite/write-ahead-log.ts';
import type { AskDisk } from './disk-reserve.ts';
import { ofDisk } from './disk-reserve.ts';

const MB = 1024 * 1024;
/** Beside the two copies that are there for a while: the reserve may be made at the same time. */
const SPARE = 32 * MB;

/** `user_version` of a database whose file holds nothing that was deleted: since then it is overwritten at once. */
const REWRITTEN = 1;

const marked = async (db: Knex): Promise<boolean> => {
  const [{ user_version }] = await db.raw('PRAGMA user_version');
  return user_version >= REWRITTEN;
};

/** Notes that the file holds nothing that was deleted. */
export async function markRewritten(db: Knex): Promise<void> {
  await db.raw(`PRAGMA user_version = ${REWRITTEN}`);
}

/** What SQLite builds meanwhile holds everything in the clear: it stays in the data folder, which others cannot read. */
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
 * Writes a database anew, once, that older versions wrote: they left what was deleted in free places of its file.
 * Where that cannot be done now, the log says why, and the next start tries again.
 */
export async function rewriteOnce(
  db: Knex,
  dataDir: string,
  log: Pick<Logger, 'info' | 'warn'>,
  { ask = ofDisk }: { ask?: AskDisk } = {},
): Promise<void> {
  if (await marked(db)) return;
  const left = 'What was deleted from the database by an older version is still in its file:';
  await emptyLog(db);
  const { size } = await stat(join(dataDir, DATABASE_FILE));
  const needed = 2 * size + SPARE;
  const noRoom = `${left} writing it anew takes ${Math.ceil(needed / MB)} MB of room on the disk. The next start tries again.`;
  const { free } = await ask(dataDir).catch(() => ({ free: Infinity }));
  if (free < needed) return log.warn(noRoom);
  log.info(`Writing the database (${Math.ceil(size / MB)} MB) anew, once, without what was deleted from it.`);
  try {
    await dropRemoved(db);
    await vacuum(db, dataDir);
  } catch (error) {
    if (isFull(error)) return log.warn(noRoom);
    return log.warn({ err: error }, `${left} it could not be written anew. The next start tries again.`);
  }
  if (!(await emptyLog(db))) {
    return log.warn(`${left} another process was reading it, such as a backup. The next start tries again.`);
  }
  await markRewritten(db);
  log.info(
    'What was deleted from the database is no longer in its file. Copies that were made before, ' +
      `in ${join(dataDir, 'backups')} and in your backups, hold what they held.`,
  );
}

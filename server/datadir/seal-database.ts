import { existsSync } from 'node:fs';
import { chmod, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { flushFile, flushFolder } from '#storage/durable.ts';
import { isUnsealed, sealedUri } from '../db/sqlite/page-encryption.ts';
import { truncateWal } from '../db/sqlite/write-ahead-log.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { isFull } from '../db/errors.ts';
import type { MeasureDisk } from './disk-reserve.ts';
import { measureDisk } from './disk-reserve.ts';
import { openFile } from './single-file.ts';
import { keptDatabases } from './update-snapshot.ts';

const MB = 1024 * 1024;
/** Space beside the sealed copy. */
const SPARE_BYTES = 32 * MB;

/** Another process reads the database, so its write-ahead log cannot be truncated. */
class DatabaseInUse extends Error {
  override name = 'DatabaseInUse';
}

/**
 * Replaces a database file by a copy sealed with `key`, atomically. Nobody may write the database meanwhile.
 * @param from its current page key; undefined if it is not sealed.
 * @throws {DatabaseInUse} if another process reads it. The database is unchanged then.
 */
export async function sealFile(file: string, from: string | undefined, key: string): Promise<void> {
  const incoming = `${file}.sealing`;
  await rm(incoming, { force: true });
  const db = openFile(file, { key: from, mode: 'rw' });
  try {
    if (!(await truncateWal(db))) throw new DatabaseInUse(`${file} is being read by another process.`);
    await db.raw('VACUUM INTO ?', [sealedUri(incoming, key)]);
    const tables = () => db('sqlite_master').count({ n: '*' }).first();
    const sealed = openFile(incoming, { key, mode: 'rw' });
    try {
      const [{ quick_check: faults }] = await sealed.raw('PRAGMA quick_check(1)');
      const [before, after] = [await tables(), await sealed('sqlite_master').count({ n: '*' }).first()];
      if (faults !== 'ok' || before!.n !== after!.n)
        throw new Error(
          `The sealed copy of ${file} is not as it should be (${faults}). The database stays as it was.`,
        );
    } finally {
      await sealed.destroy();
    }
  } catch (error) {
    await rm(incoming, { force: true });
    throw error;
  } finally {
    await db.destroy();
  }
  // SQLite would apply a remaining log to the sealed file.
  if (existsSync(`${file}-wal`) && (await stat(`${file}-wal`)).size > 0) {
    await rm(incoming, { force: true });
    throw new DatabaseInUse(`${file} is being read by another process.`);
  }
  await chmod(incoming, 0o600);
  await flushFile(incoming);
  await rename(incoming, file);
  await flushFolder(dirname(file));
}

/**
 * The databases of a data folder: the copies made before migrations, those that reverted updates have left, and last the database itself.
 * The copy of a running update is left out: it has to stay as the version of before reads it.
 */
export async function databasesIn(dataDir: string): Promise<string[]> {
  const backups = join(dataDir, 'backups');
  const copies = await readdir(backups).catch(() => []);
  return [
    ...copies.filter((name) => name.endsWith('.sqlite')).map((name) => join(backups, name)),
    ...(await keptDatabases(dataDir)),
    join(dataDir, DATABASE_FILE),
  ];
}

/**
 * Seals the databases of a data folder that an older version left unsealed. Nobody may have them open. If a database cannot be sealed
 * now, the log says why, it stays as it is, and the next start tries again.
 */
export async function sealOnce(
  dataDir: string,
  key: string,
  log: Pick<Logger, 'info' | 'warn'>,
  { measure = measureDisk }: { measure?: MeasureDisk } = {},
): Promise<void> {
  for (const file of await databasesIn(dataDir)) {
    await rm(`${file}.sealing`, { force: true });
    if (!isUnsealed(file)) continue;
    const left = `${file} is still readable for whoever gets hold of this disk:`;
    const { size } = await stat(file);
    const noRoom = `${left} sealing it takes ${Math.ceil((size + SPARE_BYTES) / MB)} MB of room on the disk. The next start tries again.`;
    const { free } = await measure(dataDir).catch(() => ({ free: Infinity }));
    if (free < size + SPARE_BYTES) {
      log.warn(noRoom);
      continue;
    }
    log.info(`Sealing ${file} (${Math.ceil(size / MB)} MB), once.`);
    try {
      await sealFile(file, undefined, key);
    } catch (error) {
      if (isFull(error)) log.warn(noRoom);
      else if (error instanceof DatabaseInUse)
        log.warn(`${left} another process was reading it, such as a backup. The next start tries again.`);
      else log.warn({ err: error }, `${left} it could not be sealed. The next start tries again.`);
    }
  }
}

import { existsSync } from 'node:fs';
import { chmod, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from 'pino';
import { flushFile, flushFolder } from '#storage/durable.ts';
import { isPlain, sealedName } from '../db/sqlite/page-encryption.ts';
import { emptyLog } from '../db/sqlite/write-ahead-log.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { isFull } from './copies.ts';
import type { AskDisk } from './disk-reserve.ts';
import { ofDisk } from './disk-reserve.ts';
import { openFile } from './single-file.ts';

const MB = 1024 * 1024;
const SPARE = 32 * MB;

/** Another process reads the database, so its log cannot be emptied. */
class DatabaseInUse extends Error {
  override name = 'DatabaseInUse';
}

/**
 * Puts in the place of a database the same sealed with `key`, at once or not at all; nobody may write it meanwhile.
 * @param from the key of its pages as they are; undefined where they are plain.
 * @throws {DatabaseInUse} when somebody reads it; then nothing was changed.
 */
export async function sealFile(file: string, from: string | undefined, key: string): Promise<void> {
  const incoming = `${file}.sealing`;
  await rm(incoming, { force: true });
  const db = openFile(file, { key: from, mode: 'rw' });
  try {
    if (!(await emptyLog(db))) throw new DatabaseInUse(`${file} is being read by another process.`);
    await db.raw('VACUUM INTO ?', [sealedName(incoming, key)]);
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
  // A log that is left would be taken for the sealed file's.
  if (existsSync(`${file}-wal`) && (await stat(`${file}-wal`)).size > 0) {
    await rm(incoming, { force: true });
    throw new DatabaseInUse(`${file} is being read by another process.`);
  }
  await chmod(incoming, 0o600);
  await flushFile(incoming);
  await rename(incoming, file);
  await flushFolder(dirname(file));
}

/** The copies that were made of the database of a data folder before migrations, and then the database itself. */
export async function databasesIn(dataDir: string): Promise<string[]> {
  const backups = join(dataDir, 'backups');
  const copies = await readdir(backups).catch(() => []);
  return [
    ...copies.filter((name) => name.endsWith('.sqlite')).map((name) => join(backups, name)),
    join(dataDir, DATABASE_FILE),
  ];
}

/**
 * Seals what an older version left plain: the database of a data folder that nobody has open, and its copies. Where that cannot be
 * done now the log says why, the database stays as it is, and the next start tries again.
 */
export async function sealOnce(
  dataDir: string,
  key: string,
  log: Pick<Logger, 'info' | 'warn'>,
  { ask = ofDisk }: { ask?: AskDisk } = {},
): Promise<void> {
  for (const file of await databasesIn(dataDir)) {
    await rm(`${file}.sealing`, { force: true });
    if (!isPlain(file)) continue;
    const left = `${file} is still readable for whoever gets hold of this disk:`;
    const { size } = await stat(file);
    const noRoom = `${left} sealing it takes ${Math.ceil((size + SPARE) / MB)} MB of room on the disk. The next start tries again.`;
    const { free } = await ask(dataDir).catch(() => ({ free: Infinity }));
    if (free < size + SPARE) {
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

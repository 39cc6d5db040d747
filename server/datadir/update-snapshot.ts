import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFile, flushFolder, writeDurably } from '#storage/durable.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { copyPages, isFull } from './copies.ts';

/*
 * A copy of the database for as long as another version of the program is tried on it. Whoever makes it or puts it back holds the
 * lock of the data folder.
 */

/** What tells where the history ends goes with the database. */
const ANCHOR = 'history.head';
const FOLDER = 'update';

const at = (dataDir: string, name: string) => join(dataDir, FOLDER, name);
const missing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};

async function copyWhole(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await flushFile(to);
}

/**
 * Copies the database aside; a copy of before is replaced once this one is whole.
 * @param key of its pages; undefined where they are plain.
 * @throws with a sentence for the admin when the disk is full.
 */
export async function takeSnapshot(dataDir: string, key: string | undefined): Promise<void> {
  await mkdir(join(dataDir, FOLDER), { recursive: true, mode: 0o700 });
  const incoming = at(dataDir, 'before.new');
  try {
    await rm(incoming, { force: true });
    await copyPages(dataDir, key, incoming);
    await flushFile(incoming);
    for (const name of ['before.head', 'after.sqlite', 'after.sqlite-wal', 'after.whole'])
      await rm(at(dataDir, name), { force: true });
    await copyWhole(join(dataDir, ANCHOR), at(dataDir, 'before.head')).catch(missing);
  } catch (error) {
    await rm(incoming, { force: true });
    if (!isFull(error)) throw error;
    throw new Error(
      `There is no room in ${dataDir} for a copy of the database. Make room on that disk and try again. Nothing was changed.`,
      { cause: error },
    );
  }
  await rename(incoming, at(dataDir, 'before.sqlite'));
  await flushFolder(join(dataDir, FOLDER));
}

export const hasSnapshot = (dataDir: string): boolean => existsSync(at(dataDir, 'before.sqlite'));

/** Keeps the database as it is, with its log, beside the copy. */
async function keepAside(dataDir: string): Promise<void> {
  const database = join(dataDir, DATABASE_FILE);
  const [aside, whole] = [at(dataDir, 'after.sqlite'), at(dataDir, 'after.whole')];
  // From then on the log may be gone already.
  if (existsSync(whole)) return;
  await rm(aside, { force: true });
  await link(database, aside);
  await copyWhole(`${database}-wal`, `${aside}-wal`).catch(missing);
  await writeDurably(whole, '');
}

/**
 * Puts the copy in the place of the database. Done again after a power failure in the middle it comes to the same.
 * @param keep whether somebody may have worked with the database since: it is kept as `update/after.sqlite`.
 */
export async function restoreSnapshot(dataDir: string, { keep }: { keep: boolean }): Promise<void> {
  const database = join(dataDir, DATABASE_FILE);
  const incoming = `${database}.before`;
  await copyWhole(at(dataDir, 'before.sqlite'), incoming);
  if (keep) await keepAside(dataDir);
  // The log of one database over the pages of another would destroy it: it goes first.
  for (const name of [`${database}-wal`, `${database}-shm`]) await rm(name, { force: true });
  await flushFolder(dataDir);
  await rename(incoming, database);
  await copyWhole(at(dataDir, 'before.head'), join(dataDir, ANCHOR)).catch(missing);
  await flushFolder(dataDir);
}

/** Deletes the copy, which nobody needs any more. */
export async function dropSnapshot(dataDir: string): Promise<void> {
  for (const name of ['before.sqlite', 'before.head', 'before.new'])
    await rm(at(dataDir, name), { force: true });
}

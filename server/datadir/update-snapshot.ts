import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFile, flushFolder, writeDurably } from '#storage/durable.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { isFull } from '../db/errors.ts';
import { copyPages } from './copies.ts';

/*
 * A copy of the database, kept while another version of the program is tried on it. The caller of these functions holds the lock of the
 * data folder.
 */

/** The anchor of the history has to match the database, so it is copied too. */
const ANCHOR = 'history.head';
const FOLDER = 'update';

const snapshotPath = (dataDir: string, name: string) => join(dataDir, FOLDER, name);
const ignoreMissing = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'ENOENT') throw error;
};

async function copyDurably(from: string, to: string): Promise<void> {
  await rm(to, { force: true });
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await flushFile(to);
}

/**
 * Copies the database. An earlier copy is replaced once this one is complete.
 * @param key of its pages; undefined if it is not sealed.
 * @throws with a message for the admin if the disk is full.
 */
export async function takeSnapshot(dataDir: string, key: string | undefined): Promise<void> {
  await mkdir(join(dataDir, FOLDER), { recursive: true, mode: 0o700 });
  const incoming = snapshotPath(dataDir, 'before.new');
  try {
    await rm(incoming, { force: true });
    await copyPages(dataDir, key, incoming);
    await flushFile(incoming);
    await rm(snapshotPath(dataDir, 'before.head'), { force: true });
    await setKeptAside(dataDir);
    await copyDurably(join(dataDir, ANCHOR), snapshotPath(dataDir, 'before.head')).catch(ignoreMissing);
  } catch (error) {
    await rm(incoming, { force: true });
    if (!isFull(error)) throw error;
    throw new Error(
      `There is no room in ${dataDir} for a copy of the database. Make room on that disk and try again. Nothing was changed.`,
      { cause: error },
    );
  }
  await rename(incoming, snapshotPath(dataDir, 'before.sqlite'));
  await flushFolder(join(dataDir, FOLDER));
}

/** Databases of reverted updates, with what was done while they were in use. */
const KEPT = /^after(?:\.\d+)?\.sqlite$/;

/** The paths of databases that reverted updates have left for the admins to look at. */
export async function keptDatabases(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, FOLDER)).catch((error: NodeJS.ErrnoException) => {
    ignoreMissing(error);
    return [];
  });
  return names
    .filter((name) => KEPT.test(name))
    .toSorted()
    .map((name) => snapshotPath(dataDir, name));
}

/** Renames the kept database of an earlier update, so that the next one may leave its own. */
async function setKeptAside(dataDir: string): Promise<void> {
  const paths = ['after.sqlite', 'after.sqlite-wal', 'after.whole'].map((name) =>
    snapshotPath(dataDir, name),
  ) as [string, string, string];
  const [database, log, complete] = paths;
  if (existsSync(complete) && existsSync(database)) {
    let n = 1;
    while (existsSync(snapshotPath(dataDir, `after.${n}.sqlite`))) n += 1;
    const aside = snapshotPath(dataDir, `after.${n}.sqlite`);
    await rename(log, `${aside}-wal`).catch(ignoreMissing);
    await rename(database, aside);
  }
  for (const path of paths) await rm(path, { force: true });
}

export const hasSnapshot = (dataDir: string): boolean => existsSync(snapshotPath(dataDir, 'before.sqlite'));

/** Keeps the present database and its log beside the copy. */
async function keepPresent(dataDir: string): Promise<void> {
  const database = join(dataDir, DATABASE_FILE);
  const [saved, complete] = [snapshotPath(dataDir, 'after.sqlite'), snapshotPath(dataDir, 'after.whole')];
  // An earlier attempt got this far, and the log may have been deleted since.
  if (existsSync(complete)) return;
  await rm(saved, { force: true });
  await link(database, saved);
  await copyDurably(`${database}-wal`, `${saved}-wal`).catch(ignoreMissing);
  await writeDurably(complete, '');
}

/**
 * Replaces the database by the copy. Repeated after a power failure, it has the same result.
 * @param keep whether users may have changed the database since the copy: it is then kept as `update/after.sqlite`. While it is there,
 * no bytes are deleted for lack of a row (`keptDatabases`).
 */
export async function restoreSnapshot(dataDir: string, { keep }: { keep: boolean }): Promise<void> {
  const database = join(dataDir, DATABASE_FILE);
  const incoming = `${database}.before`;
  await copyDurably(snapshotPath(dataDir, 'before.sqlite'), incoming);
  if (keep) await keepPresent(dataDir);
  // SQLite would apply the old log to the restored pages and destroy them, so the log is deleted first.
  for (const name of [`${database}-wal`, `${database}-shm`]) await rm(name, { force: true });
  await flushFolder(dataDir);
  await rename(incoming, database);
  await copyDurably(snapshotPath(dataDir, 'before.head'), join(dataDir, ANCHOR)).catch(ignoreMissing);
  await flushFolder(dataDir);
}

/** Deletes the copy. */
export async function dropSnapshot(dataDir: string): Promise<void> {
  for (const name of ['before.sqlite', 'before.head', 'before.new'])
    await rm(snapshotPath(dataDir, name), { force: true });
}

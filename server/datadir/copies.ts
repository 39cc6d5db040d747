import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { flushFolder } from '#storage/durable.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { emptyLog } from '../db/sqlite/write-ahead-log.ts';
import { openFile } from './single-file.ts';

/** Copies that are kept; older ones go when a new one is made. */
export const COPIES_KEPT = 3;

const COPY = /^before-migration-.*\.sqlite$/;

/** Whether there is no room: as the system says it, or SQLite. */
export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes((error as { code?: string }).code ?? '');

/** Writes a copy of the database, as it is in one instant, to a file that is not there yet, and flushes it. */
export async function vacuumInto(db: Knex, file: string): Promise<void> {
  await db.raw('VACUUM INTO ?', [file]);
  const copy = await open(file, 'r+');
  await copy.chmod(0o600);
  await copy.sync().finally(() => copy.close());
}

/** Tries to find a moment at which the write-ahead log is empty. */
const TRIES = 50;
const PAUSE_MS = 100;

interface Connection {
  run(sql: string, done: (error: Error | null) => void): void;
}

const said = (connection: Connection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => connection.run(sql, (error) => (error ? reject(error) : resolve())));

/** @returns false for a database that somebody writes. @throws all else. */
function isBusy(error: unknown): false {
  if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
  return false;
}

/**
 * Begins a transaction that only reads, at a moment when all is in the database's file and nothing in its log: until it ends,
 * SQLite changes nothing in the file.
 */
async function freeze(writer: Knex, reader: Connection, log: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const emptied = await emptyLog(writer);
    const connection = (await writer.client.acquireConnection()) as Connection;
    try {
      // Somebody may be writing for longer than a connection waits.
      const begun = await said(connection, 'BEGIN IMMEDIATE').then(() => true, isBusy);
      try {
        const { size } = begun ? await stat(log) : { size: NaN };
        if (emptied && size === 0) {
          await said(reader, 'BEGIN');
          await said(reader, 'SELECT count(*) FROM sqlite_master');
          return;
        }
      } finally {
        if (begun) await said(connection, 'ROLLBACK');
      }
    } finally {
      await writer.client.releaseConnection(connection);
    }
    if (tries === TRIES)
      throw new Error('The database is read without a pause, so it cannot be copied. Try again.');
    await wait(PAUSE_MS);
  }
}

/**
 * Copies a database file as it is in one instant, while others read and write it, to one that is not there yet: pages that have
 * not changed are the same bytes in every copy, unlike in one by `vacuumInto`. It is not flushed, and has no write-ahead log.
 * @param key of its pages; undefined where they are plain.
 */
export async function copyPages(dataDir: string, key: string | undefined, file: string): Promise<void> {
  const source = join(dataDir, DATABASE_FILE);
  const [writer, db] = [openFile(source, { key, mode: 'rw' }), openFile(source, { key, mode: 'rw' })];
  try {
    const reader = (await db.client.acquireConnection()) as Connection;
    try {
      await freeze(writer, reader, `${source}-wal`);
      await copyFile(source, file).finally(() => said(reader, 'ROLLBACK'));
    } finally {
      await db.client.releaseConnection(reader);
    }
  } finally {
    await writer.destroy();
    await db.destroy();
  }
  await chmod(file, 0o600);
  const copied = openFile(file, { key, mode: 'rw' });
  await copied.raw('PRAGMA journal_mode = DELETE').finally(() => copied.destroy());
}

/**
 * Copies the database into the folder `backups` before its form is changed, and removes all but the newest copies there.
 * @returns the file of the copy.
 * @throws with a sentence for the admin when the disk is full.
 */
export async function copyDatabase(db: Knex, backups: string, now: Date): Promise<string> {
  await mkdir(backups, { recursive: true, mode: 0o700 });
  const copy = join(backups, `before-migration-${now.toISOString().replaceAll(/[:.]/g, '-')}.sqlite`);
  const incoming = `${copy}.new`;
  await rm(incoming, { force: true });
  try {
    await vacuumInto(db, incoming);
  } catch (error) {
    await rm(incoming, { force: true });
    if (!isFull(error)) throw error;
    throw new Error(
      `There is no room for the copy of the database that is made in ${backups} before it is changed. ` +
        'Make room on that disk and try again. Nothing was changed.',
      { cause: error },
    );
  }
  await rename(incoming, copy);
  await flushFolder(backups);
  const copies = (await readdir(backups)).filter((name) => COPY.test(name)).toSorted();
  for (const name of copies.slice(0, -COPIES_KEPT)) await rm(join(backups, name), { force: true });
  return copy;
}

import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import { flushFolder } from '#storage/durable.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { isFull } from '../db/errors.ts';
import { truncateWal } from '../db/sqlite/write-ahead-log.ts';
import { openFile } from './single-file.ts';

/** Copies that are kept: making a new one deletes the oldest. */
export const COPIES_KEPT = 3;

const COPY = /^before-migration-.*\.sqlite$/;

/** Writes a snapshot of the database to a new file, and flushes it to disk. */
export async function vacuumInto(db: Knex, file: string): Promise<void> {
  await db.raw('VACUUM INTO ?', [file]);
  const copy = await open(file, 'r+');
  await copy.chmod(0o600);
  await copy.sync().finally(() => copy.close());
}

/** Attempts to find a moment at which the write-ahead log is empty. */
const MAX_ATTEMPTS = 50;
const RETRY_MS = 100;

interface Connection {
  run(sql: string, done: (error: Error | null) => void): void;
}

const execute = (connection: Connection, sql: string): Promise<void> =>
  new Promise((resolve, reject) => connection.run(sql, (error) => (error ? reject(error) : resolve())));

/** @returns false if another connection writes. @throws any other error. */
function falseIfBusy(error: unknown): false {
  if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
  return false;
}

/**
 * Begins a read transaction at a moment when the write-ahead log is empty. Until it ends, SQLite does not write to the database file
 * itself, only to the log.
 */
async function freeze(writer: Knex, reader: Connection, walFile: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const truncated = await truncateWal(writer);
    const connection = (await writer.client.acquireConnection()) as Connection;
    try {
      // Another connection may write for longer than the busy timeout.
      const hasBegun = await execute(connection, 'BEGIN IMMEDIATE').then(() => true, falseIfBusy);
      try {
        const { size } = hasBegun ? await stat(walFile) : { size: NaN };
        if (truncated && size === 0) {
          await execute(reader, 'BEGIN');
          await execute(reader, 'SELECT count(*) FROM sqlite_master');
          return;
        }
      } finally {
        if (hasBegun) await execute(connection, 'ROLLBACK');
      }
    } finally {
      await writer.client.releaseConnection(connection);
    }
    if (attempt === MAX_ATTEMPTS)
      throw new Error('The database is read without a pause, so it cannot be copied. Try again.');
    await wait(RETRY_MS);
  }
}

/**
 * Copies a snapshot of the database file to a new file, while others read and write it. Unlike with `vacuumInto`, unchanged pages have
 * the same bytes in every copy. The copy is not flushed to disk, and has no write-ahead log.
 * @param key of its pages; undefined if they are not sealed.
 */
export async function copyPages(dataDir: string, key: string | undefined, file: string): Promise<void> {
  const source = join(dataDir, DATABASE_FILE);
  const [writer, db] = [openFile(source, { key, mode: 'rw' }), openFile(source, { key, mode: 'rw' })];
  try {
    // A restored database has no log until a server opens it.
    await writer.raw('PRAGMA journal_mode = WAL');
    const reader = (await db.client.acquireConnection()) as Connection;
    try {
      await freeze(writer, reader, `${source}-wal`);
      await copyFile(source, file).finally(() => execute(reader, 'ROLLBACK'));
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
 * Copies the database into the folder `backups` before a migration, and deletes all but the newest copies there.
 * @returns the path of the copy.
 * @throws with a message for the admin if the disk is full.
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

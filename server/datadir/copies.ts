import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import { flushFolder } from '#storage/durable.ts';

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

interface PageCopy {
  step(pages: number, done: (error: Error | null) => void): void;
  finish(done: (error: Error | null) => void): void;
}
interface CopiesPages {
  backup(file: string, begun: (error: Error | null) => void): PageCopy;
}

/**
 * Writes a copy of the database, as it is in one instant, to a file that is not there yet. What has not changed lies where it lies
 * in the database, unlike in a copy by \`vacuumInto\`. It is not flushed, and has no write-ahead log.
 */
export async function copyPages(db: Knex, file: string): Promise<void> {
  const connection = (await db.client.acquireConnection()) as CopiesPages;
  try {
    const copy = await new Promise<PageCopy>((resolve, reject) => {
      const made = connection.backup(file, (error) => (error ? reject(error) : resolve(made)));
    });
    const stepped = new Promise<void>((resolve, reject) =>
      copy.step(-1, (error) => (error ? reject(error) : resolve())),
    );
    await stepped.finally(() => new Promise<void>((resolve) => copy.finish(() => resolve())));
  } finally {
    await db.client.releaseConnection(connection);
  }
  const copied = knex({
    client: 'sqlite3',
    connection: { filename: file },
    useNullAsDefault: true,
    pool: { min: 1, max: 1 },
  });
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

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { MIGRATIONS } from '../../knexfile.ts';
import { openDatabase } from '../datadir/database.ts';
import { onPostgres } from '../db/dialect.ts';
import { emptyDatabase } from './postgres.ts';

/** Also used by other tools. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/almirah');

/** The backup API of the sqlite3 package, which its types omit. */
interface Copying {
  step(pages: number, done: (error: Error | null) => void): void;
  finish(done: (error: Error | null) => void): void;
}
interface Connection {
  backup(
    file: string,
    destination: 'main',
    source: 'main',
    toFile: boolean,
    done: (error: Error | null) => void,
  ): Copying;
}

const called = (call: (done: (error: Error | null) => void) => unknown): Promise<void> =>
  new Promise((resolve, reject) => void call((error) => (error ? reject(error) : resolve())));

/** Copies all pages of a database to a file, or from a file. */
async function copyPages(db: Knex, file: string, { toFile }: { toFile: boolean }): Promise<void> {
  const connection = (await db.client.acquireConnection()) as Connection;
  try {
    let copying: Copying;
    await called((done) => (copying = connection.backup(file, 'main', 'main', toFile, done)));
    await called((done) => copying.step(-1, done));
    await called((done) => copying.finish(done));
  } finally {
    await db.client.releaseConnection(connection);
  }
}

/** The name depends on the content of all migrations. */
async function templatePath(): Promise<string> {
  const hash = createHash('sha256');
  const names = (await readdir(MIGRATIONS)).toSorted();
  for (const name of names) hash.update(`${name}\0`).update(await readFile(join(MIGRATIONS, name)));
  return join(CACHE, `migrated-${hash.digest('hex').slice(0, 16)}.sqlite`);
}

/** Parallel processes may each build the file; the last rename wins. */
async function buildTemplate(file: string): Promise<string> {
  await mkdir(CACHE, { recursive: true });
  const incoming = `${file}.${process.pid}`;
  const db = openDatabase(':memory:');
  await db.migrate.latest();
  await rm(incoming, { force: true });
  await copyPages(db, incoming, { toFile: true });
  await db.destroy();
  await rename(incoming, file);
  return file;
}

let template: Promise<string> | undefined;

/** The path of the migrated database file, for copying. */
export const migratedFile = (): Promise<string> =>
  (template ??= templatePath().then((file) => (existsSync(file) ? file : buildTemplate(file))));

/**
 * An empty, migrated database in memory. It is copied from a file, because running all migrations takes a
 * hundred times as long.
 */
export async function migratedDatabase(): Promise<Knex> {
  if (onPostgres) return emptyDatabase();
  const file = await migratedFile();
  const db = openDatabase(':memory:');
  await copyPages(db, file, { toFile: false });
  return db;
}

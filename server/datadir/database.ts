import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import { DATABASE_FILE, MIGRATIONS, sqlite } from '../../knexfile.ts';
import { copyDatabase } from './copies.ts';
import { onPostgres } from '../db/dialect.ts';
import { isOnPostgres } from './postgres/mark.ts';
import { markRewritten } from './rewrite.ts';
import type { SqliteConfig } from '../db/sqlite/client.ts';

export const SQLITE_ALONE =
  'This works on the SQLite database of a data folder, but this one’s database is in PostgreSQL. Bring it into a file first: npm run admin -- move --to-database file';

/** What to do about a data folder whose database is in PostgreSQL, which the settings do not name. */
export const addressMissing = (dataDir: string): string =>
  `The database of ${dataDir} is in PostgreSQL: set DATABASE_URL to it. Nothing was changed.`;

/**
 * Opens the database of a data folder, or one in memory. `migrate` creates its tables.
 * @param options `key`: the page key, from `pageKeyOf` or `findPageKey`; without it only an unsealed database opens. `guarded: false`:
 * down migrations may delete data of firms.
 */
export function openDatabase(
  dataDir: string | ':memory:',
  {
    guarded,
    key,
    ...diskHooks
  }: Pick<SqliteConfig, 'beforeWrite' | 'whenFull'> & { guarded?: boolean; key?: string | undefined } = {},
): Knex {
  if (dataDir !== ':memory:' && (onPostgres || isOnPostgres(dataDir))) throw new Error(SQLITE_ALONE);
  const file = dataDir === ':memory:' ? dataDir : join(dataDir, DATABASE_FILE);
  return knex({ ...sqlite(file, { guarded, key }), ...diskHooks } as Knex.Config);
}

/** A database that is open for serving. */
export interface OpenedDatabase {
  db: Knex;
  close(): Promise<void>;
}

/** File names of migrations: those of this program, oldest first, and those that a database has been through. */
export interface Version {
  known: string[];
  done: string[];
}

export async function versionOf(db: Knex): Promise<Version> {
  const known = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.ts')).toSorted();
  const rows = (await db.schema.hasTable('knex_migrations'))
    ? await db('knex_migrations').select('name')
    : [];
  return { known, done: rows.map((row: { name: string }) => basename(row.name)) };
}

/** The database belongs to a newer version of the program; the message says what to do. */
export class NewerDatabase extends Error {
  override name = 'NewerDatabase';
}

/** @throws {NewerDatabase} if the database has been through migrations that this program does not know. */
export function refuseNewer({ known, done }: Version): void {
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new NewerDatabase(
    `This database was made by a newer Almirah (it has been through ${unknown.join(', ')}). ` +
      'Start that version, or restore a backup made with this one. Nothing was changed.',
  );
}

/** Whether the database has been through exactly the migrations of this program. */
export async function isCurrent(db: Knex): Promise<boolean> {
  const { known, done } = await versionOf(db);
  return known.length === done.length && done.every((name) => known.includes(name));
}

/**
 * Migrates the database to this program's version. A database that is not new is first copied into `backups`, if given.
 * @returns the path of that copy; null if none was needed.
 * @throws if the database belongs to a newer program, or there is no room for the copy. The database is unchanged then.
 */
export async function migrate(db: Knex, backups: string | null, now: Date): Promise<string | null> {
  const version = await versionOf(db);
  refuseNewer(version);
  if (version.known.length === version.done.length) return null;
  const copy = backups && version.done.length > 0 ? await copyDatabase(db, backups, now) : null;
  await db.migrate.latest();
  if (version.done.length === 0 && !onPostgres) await markRewritten(db);
  return copy;
}

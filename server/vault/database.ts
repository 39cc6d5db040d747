import { mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import { DATABASE_FILE, sqlite } from '../../knexfile.ts';
import type { SqliteConfig } from './sqlite-client.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');

/** Opens the database of a data folder, or one in memory. Tables come with `migrate`. */
export function openDatabase(
  dataDir: string | ':memory:',
  room: Pick<SqliteConfig, 'beforeWrite' | 'whenFull'> = {},
): Knex {
  const settings = sqlite(dataDir === ':memory:' ? dataDir : join(dataDir, DATABASE_FILE));
  return knex({ ...settings, ...room } as Knex.Config);
}

/** The names of the migrations that this program knows, and those that the database has been through. */
async function compare(db: Knex): Promise<{ known: string[]; done: string[] }> {
  const known = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.ts')).toSorted();
  const rows = (await db.schema.hasTable('knex_migrations'))
    ? await db('knex_migrations').select('name')
    : [];
  return { known, done: rows.map((row: { name: string }) => basename(row.name)) };
}

/** Whether the database has been through all that this program's has. */
export async function isCurrent(db: Knex): Promise<boolean> {
  const { known, done } = await compare(db);
  return known.length === done.length;
}

/**
 * Brings the database to this program's version; a copy is made in `backups` first if there is anything to lose.
 * @returns the file of that copy, or null when none was needed.
 * @throws when the database belongs to a newer program; it is then left as it is.
 */
export async function migrate(db: Knex, backups: string | null, now: Date): Promise<string | null> {
  const { known, done } = await compare(db);
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(
      `This database was made by a newer Almirah (it has been through ${unknown.join(', ')}). ` +
        'Start that version, or restore a backup made with this one. Nothing was changed.',
    );
  }
  if (known.length === done.length) return null;
  let copy: string | null = null;
  if (backups && done.length > 0) {
    await mkdir(backups, { recursive: true, mode: 0o700 });
    copy = join(backups, `before-migration-${now.toISOString().replaceAll(/[:.]/g, '-')}.sqlite`);
    await db.raw('VACUUM INTO ?', [copy]);
  }
  await db.migrate.latest();
  return copy;
}

import { pathToFileURL } from 'node:url';
import knex from 'knex';
import type { Knex } from 'knex';
import { beginningWith, isPlain, unlocking } from '../db/sqlite/page-encryption.ts';

/**
 * Opens a database by itself, with one connection that takes names of files as URIs.
 * @param key of its pages; one that is plain opens without.
 */
export function openFile(
  filename: string,
  { key, mode }: { key: string | undefined; mode: 'ro' | 'rw' },
): Knex {
  const statements = key === undefined || isPlain(filename) ? [] : unlocking(key);
  return knex({
    client: 'sqlite3',
    connection: {
      filename: `${pathToFileURL(filename).href}?mode=${mode}`,
      flags: ['OPEN_URI'],
    },
    useNullAsDefault: true,
    compileSqlOnError: false,
    pool: { min: 1, max: 1, afterCreate: beginningWith(statements, filename) },
  });
}

/** Opens a database that nobody writes, without leaving a trace beside it. */
export const openCopy = (filename: string, key: string | undefined): Knex =>
  openFile(filename, { key, mode: 'ro' });

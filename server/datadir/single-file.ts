import { pathToFileURL } from 'node:url';
import knex from 'knex';
import type { Knex } from 'knex';
import { QUIET } from '../../knexfile.ts';
import { runOnConnect, isUnsealed, unlockStatements } from '../db/sqlite/page-encryption.ts';

/**
 * Opens a single database file, with one connection that accepts file names as URIs.
 * @param key of its pages; an unsealed file needs none.
 */
export function openFile(
  filename: string,
  { key, mode }: { key: string | undefined; mode: 'ro' | 'rw' },
): Knex {
  const statements = key === undefined || isUnsealed(filename) ? [] : unlockStatements(key);
  return knex({
    client: 'sqlite3',
    connection: {
      filename: `${pathToFileURL(filename).href}?mode=${mode}`,
      flags: ['OPEN_URI'],
    },
    useNullAsDefault: true,
    compileSqlOnError: false,
    log: QUIET,
    pool: { min: 1, max: 1, afterCreate: runOnConnect(statements, filename) },
  });
}

/** Opens a database file read-only; no log file is created beside it. */
export const openCopy = (filename: string, key: string | undefined): Knex =>
  openFile(filename, { key, mode: 'ro' });

import { open, rm } from 'node:fs/promises';
import knex from 'knex';
import type { Knex } from 'knex';
import { sqlite } from '../../../knexfile.ts';
import { fillPostgres, postgresSide } from '../../db/postgres/whole.ts';
import { fillSqlite, sqliteSide } from '../../db/sqlite/whole.ts';
import type { CopiedWhole } from '../../db/whole/copy.ts';
import { copyWhole } from '../../db/whole/copy.ts';
import { markRewritten } from '../rewrite.ts';
import { openFile } from '../single-file.ts';

export type How = Parameters<typeof copyWhole>[2];

/** An empty database of this version, in one file. */
async function makeFile(file: string, key: string): Promise<Knex> {
  for (const end of ['', '-journal', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
  const made = knex(sqlite(file, { key }));
  try {
    await made.migrate.latest();
    await markRewritten(made);
  } finally {
    await made.destroy();
  }
  const db = openFile(file, { key, mode: 'rw' });
  await db.raw('PRAGMA journal_mode = DELETE');
  await db.raw('PRAGMA temp_store = MEMORY');
  return db;
}

/**
 * Writes a database of PostgreSQL, as it is at one moment, to a new file of SQLite, sealed with `key`: that of a data folder, or of a
 * backup. Others read and write it meanwhile.
 */
export async function copyToFile(db: Knex, file: string, key: string, how: How): Promise<CopiedWhole> {
  const made = await makeFile(file, key);
  try {
    return await db.transaction(
      async (source) =>
        made.transaction(async (trx) => copyWhole(postgresSide(source), await fillSqlite(trx), how)),
      { isolationLevel: 'repeatable read', readOnly: true },
    );
  } finally {
    await made.destroy();
    const written = await open(file, 'r+');
    await written.chmod(0o600);
    await written.sync().finally(() => written.close());
  }
}

/**
 * Fills a database of PostgreSQL of this version with that of a file, in one transaction: all of it comes, or nothing.
 * @param also what goes with it.
 */
export async function copyToPostgres(
  db: Knex,
  file: string,
  key: string | undefined,
  { also, ...how }: How & { also?: (trx: Knex.Transaction) => Promise<void> },
): Promise<CopiedWhole> {
  const source = openFile(file, { key, mode: 'rw' });
  try {
    await source.raw('PRAGMA temp_store = MEMORY');
    return await source.transaction((reading) =>
      db.transaction(async (trx) => {
        const copied = await copyWhole(sqliteSide(reading), await fillPostgres(trx), how);
        await also?.(trx);
        return copied;
      }),
    );
  } finally {
    await source.destroy();
  }
}

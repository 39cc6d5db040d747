import { open, rm } from 'node:fs/promises';
import knex from 'knex';
import type { Knex } from 'knex';
import { sqlite } from '../../../knexfile.ts';
import { postgresWriter, postgresReader } from '../../db/postgres/copy.ts';
import { sqliteWriter, sqliteReader } from '../../db/sqlite/copy.ts';
import type { CopyOptions, CopyResult } from '../../db/copy/copy-database.ts';
import { copyDatabase } from '../../db/copy/copy-database.ts';
import { markRewritten } from '../rewrite.ts';
import { openFile } from '../single-file.ts';

async function deleteFile(file: string): Promise<void> {
  for (const end of ['', '-journal', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
}

/** Creates an empty database of this version in a single file. */
async function createFile(file: string, key: string): Promise<Knex> {
  await deleteFile(file);
  const migrated = knex(sqlite(file, { key }));
  try {
    await migrated.migrate.latest();
    await markRewritten(migrated);
  } finally {
    await migrated.destroy();
  }
  const db = openFile(file, { key, mode: 'rw' });
  await db.raw('PRAGMA journal_mode = DELETE');
  await db.raw('PRAGMA temp_store = MEMORY');
  return db;
}

/**
 * Writes a snapshot of a PostgreSQL database to a new SQLite file, sealed with `key`, for a data folder or a backup. Others can read and
 * write the PostgreSQL database meanwhile. A copy that fails leaves no file.
 */
export async function copyToFile(
  db: Knex,
  file: string,
  key: string,
  options: CopyOptions,
): Promise<CopyResult> {
  try {
    const target = await createFile(file, key);
    const result = await db
      .transaction(
        async (source) =>
          target.transaction(async (trx) =>
            copyDatabase(postgresReader(source), await sqliteWriter(trx), options),
          ),
        { isolationLevel: 'repeatable read', readOnly: true },
      )
      .finally(() => target.destroy());
    const written = await open(file, 'r+');
    await written.chmod(0o600);
    await written.sync().finally(() => written.close());
    return result;
  } catch (error) {
    // What there is of it would keep a full disk full.
    await deleteFile(file);
    throw error;
  }
}

/**
 * Fills a PostgreSQL database of this version with the database of a file, in one transaction.
 * @param also more work for the same transaction.
 */
export async function copyToPostgres(
  db: Knex,
  file: string,
  key: string | undefined,
  { also, ...options }: CopyOptions & { also?: (trx: Knex.Transaction) => Promise<void> },
): Promise<CopyResult> {
  const source = openFile(file, { key, mode: 'rw' });
  try {
    await source.raw('PRAGMA temp_store = MEMORY');
    return await source.transaction((snapshot) =>
      db.transaction(async (trx) => {
        const result = await copyDatabase(sqliteReader(snapshot), await postgresWriter(trx), options);
        await also?.(trx);
        return result;
      }),
    );
  } finally {
    await source.destroy();
  }
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import type { BlobStore } from '#storage/blobs.ts';
import { openBlobStore } from '#storage/store.ts';
import { DATABASE_FILE, postgres } from '../../knexfile.ts';
import type { Config } from '../config/config.ts';
import {
  SQLITE_ALONE,
  NewerDatabase,
  addressMissing,
  isCurrent,
  openDatabase,
  refuseNewer,
  versionOf,
} from '../datadir/database.ts';
import { isOnPostgres, vaultMark } from '../datadir/postgres/mark.ts';
import { adoptVault, whereIs } from '../datadir/postgres/open.ts';
import type { TryLock } from '../datadir/deletion-lock.ts';
import { tryLockFromOutside } from '../db/postgres/command-locks.ts';
import { onPostgres } from '../db/dialect.ts';
import { connectionProblem } from '../db/postgres/errors.ts';
import { bytesSourceOf, keySourceOf } from '../datadir/settings.ts';
import { pageKeyOf } from '../db/sqlite/page-encryption.ts';
import { Refused } from './refused.ts';

interface VaultAlongside {
  db: Knex;
  blobs: BlobStore;
  secret: Buffer;
  close(): Promise<void>;
}

/**
 * A lock among all processes that may serve the vault; undefined with an SQLite database, which only this
 * machine opens.
 */
export const vaultLockOf = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): TryLock | undefined =>
  databaseUrl ? (name) => tryLockFromOutside(databaseUrl, name) : undefined;

/** @throws {Refused} for a command that creates an SQLite database. */
export function refuseOnPostgres(): void {
  if (!onPostgres) return;
  throw new Refused(
    'A backup is brought back with its database in a file. Leave DATABASE_URL out, restore, and then bring the database to PostgreSQL: npm run admin -- move --to-database postgres://…',
  );
}

/**
 * The path of the data folder's SQLite database.
 * @param elsewhere what to do instead when the database is in PostgreSQL.
 * @throws {Refused} when there is no such file.
 */
export function databaseOf(dataDir: string, elsewhere = SQLITE_ALONE): string {
  const file = join(dataDir, DATABASE_FILE);
  if (existsSync(file)) return file;
  if (onPostgres || isOnPostgres(dataDir)) throw new Refused(elsewhere);
  throw new Refused(`${dataDir} holds no ${DATABASE_FILE}. Set DATA_DIR to the folder that the server uses.`);
}

export const OTHER_VERSION =
  'This database is of another version of Almirah. Start the server of this version once, and try again.';

/** @throws {Refused} when PostgreSQL does not respond, or holds another vault. */
async function openItsPostgres(address: string, secret: Buffer): Promise<Knex> {
  const db = knex(postgres(address));
  const where = whereIs(address);
  try {
    const found = (await db.schema.hasTable('knex_vault')) && (await db('knex_vault').first('mark'));
    if (found && found.mark === vaultMark(secret)) return db;
    throw new Refused(
      `The database at ${where} is not that of this data folder. Set DATA_DIR and DATABASE_URL to those that go together.`,
    );
  } catch (error) {
    await db.destroy();
    const refusal = connectionProblem(error, where);
    throw refusal === null ? error : new Refused(refusal);
  }
}

/** @throws {Refused} for a database of another version; only an older one is brought to this one by a start. */
async function requireCurrent(db: Knex): Promise<void> {
  if (await isCurrent(db)) return;
  try {
    refuseNewer(await versionOf(db));
  } catch (error) {
    throw error instanceof NewerDatabase ? new Refused(error.message) : error;
  }
  throw new Refused(OTHER_VERSION);
}

/**
 * Opens a data folder that a server may be using, without changing anything but the id of a folder that has none of a vault yet.
 * @throws {Refused} when its database is of another version.
 */
export async function openAlongside(config: Config): Promise<VaultAlongside> {
  const { dataDir, databaseUrl } = config;
  if (!databaseUrl) databaseOf(dataDir, addressMissing(dataDir));
  await adoptVault(config);
  const { blobs, secret } = await openBlobStore({
    ...keySourceOf(config),
    ...bytesSourceOf(config),
    clean: false,
  });
  const db = databaseUrl
    ? await openItsPostgres(databaseUrl, secret)
    : openDatabase(dataDir, { key: pageKeyOf(secret) });
  await requireCurrent(db).catch(async (error: unknown) => {
    await db.destroy();
    throw error;
  });
  return { db, blobs, secret, close: () => db.destroy() };
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { findMasterKey, KeyRefused, readChecks } from '#storage/keys.ts';
import { DATABASE_FILE, postgres } from '../../../knexfile.ts';
import { execute, queryRow } from '../../db/sql.ts';
import { onPostgres } from '../../db/dialect.ts';
import { connectionProblem } from '../../db/postgres/errors.ts';
import type { PostgresProcesses } from '../../db/postgres/processes.ts';
import { connectProcesses } from '../../db/postgres/processes.ts';
import { cannotUse } from '../cannot-use.ts';
import type { OpenedDatabase } from '../database.ts';
import { migrate, versionOf } from '../database.ts';
import { makeFolder } from '../make-folder.ts';
import type { DataDirSettings } from '../settings.ts';
import { keySourceOf } from '../settings.ts';
import { keepVaultId, vaultIdOf } from '../vault-id.ts';
import { isOnPostgres, markOnPostgres, vaultMark } from './mark.ts';

const MIN_VERSION = 15;

/** A data folder and the secret of its master key. */
interface Folder {
  dataDir: string;
  secret: Buffer;
  /** The address of the bucket with the files; null if they are in the folder, which then is the only one of its vault. */
  bucket?: string | null;
}

/** The host and the name of the database, without user and password. */
export function whereIs(address: string): string {
  const { host, pathname, searchParams } = new URL(address);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

/** The database cannot be used. The message tells the admin what to do. */
export class DatabaseRefused extends Error {
  override name = 'DatabaseRefused';
}

/** @throws {DatabaseRefused} for a PostgreSQL that is too old, a database that is not in UTF-8, and one that confirms commits before they are on disk. */
export async function checkServer(db: Knex, where: string): Promise<void> {
  const settings = await queryRow<{ version: string; encoding: string; commit: string }>(
    db,
    `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
       current_setting('synchronous_commit') AS commit`,
  );
  const { version, encoding, commit } = settings!;
  if (Number.parseInt(version, 10) < MIN_VERSION)
    throw new DatabaseRefused(
      `PostgreSQL at ${where} is version ${version}. Almirah takes ${MIN_VERSION} and newer.`,
    );
  if (encoding !== 'UTF8')
    throw new DatabaseRefused(
      `The database at ${where} keeps texts as ${encoding}. Make one with: createdb -E UTF8 -T template0 NAME`,
    );
  if (commit === 'off')
    throw new DatabaseRefused(
      `PostgreSQL at ${where} confirms what is not on its disk yet, and a power cut would lose it. Set there: ALTER DATABASE NAME SET synchronous_commit = on`,
    );
}

/** @throws {DatabaseRefused} if the database has tables that Almirah has not created. */
export async function refuseForeign(db: Knex, where: string): Promise<void> {
  if ((await versionOf(db)).done.length > 0) return;
  const other = await queryRow<{ name: string }>(
    db,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'knex%' LIMIT 1",
  );
  if (!other) return;
  throw new DatabaseRefused(
    `The database at ${where} is not empty and was not made by Almirah (it has a table "${other.name}"). Name an empty one in DATABASE_URL. Nothing was changed.`,
  );
}

/** The table that says whose database this is. The prefix `knex_` keeps it apart from the vault's own tables. */
const VAULT_TABLE = 'knex_vault';
const CREATE_VAULT_TABLE = `
  CREATE TABLE IF NOT EXISTS ${VAULT_TABLE} (mark text PRIMARY KEY);
  ALTER TABLE ${VAULT_TABLE} ADD COLUMN IF NOT EXISTS vault text, ADD COLUMN IF NOT EXISTS bucket text`;

interface VaultRow {
  mark: string;
  vault: string | null;
  bucket: string | null;
}

/** The row that says whose database this is; null if it is nobody's yet. */
async function vaultRowOf(address: string): Promise<Partial<VaultRow> | null> {
  const db = knex(postgres(address));
  try {
    return (await db.schema.hasTable(VAULT_TABLE)) ? ((await db(VAULT_TABLE).first()) ?? null) : null;
  } catch (error) {
    const problem = connectionProblem(error, whereIs(address));
    throw problem === null ? error : new Error(problem, { cause: error });
  } finally {
    await db.destroy();
  }
}

/** Records in a database to which a vault is moved whose it is, so that other data folders of the vault find its id there. */
export async function claimForVault(trx: Knex.Transaction, mark: string, vault: string): Promise<void> {
  await execute(trx, CREATE_VAULT_TABLE);
  await trx(VAULT_TABLE).insert({ mark, vault }).onConflict('mark').merge();
}

/** The id of the vault whose database this is, for a data folder that does not know it yet; null if the database does not say. */
const vaultOfDatabase = async (address: string): Promise<string | null> =>
  (await vaultRowOf(address))?.vault ?? null;

/**
 * Checks the master key of a folder that has none of its own yet: one made for it, or a wrong one, would stay with the folder, which the
 * right one could not open afterwards.
 * @throws {KeyRefused} unless it is that of the vault in the database.
 */
async function requireKeyOfDatabase(settings: DataDirSettings): Promise<void> {
  const { dataDir, databaseUrl } = settings;
  if (!databaseUrl || (await readChecks(dataDir))) return;
  const row = await vaultRowOf(databaseUrl);
  if (!row) return;
  const master = await findMasterKey(keySourceOf(settings));
  if (master && vaultMark(master.serverSecret) === row.mark) return;
  throw new KeyRefused(
    `The database at ${whereIs(databaseUrl)} is that of a vault, and ${master ? 'the master key here is not its key' : `its master key is not in ${dataDir}`}. ` +
      'Set MASTER_KEY or MASTER_KEY_FILE as its other servers have it. Nothing was changed.',
  );
}

/**
 * Gives a new folder the id of the vault in the database: several folders, each of one process, may belong to one vault. A start with wrong
 * settings, or a command, may have left an id in a folder that has no key yet, and so is no vault; it is replaced.
 * @throws {KeyRefused} without the key of that vault.
 */
export async function adoptVault(settings: DataDirSettings): Promise<void> {
  const { dataDir, databaseUrl } = settings;
  if (!databaseUrl) return;
  await requireKeyOfDatabase(settings);
  if (await readChecks(dataDir)) {
    await vaultIdOf(dataDir, () => vaultOfDatabase(databaseUrl));
    return;
  }
  const vault = await vaultOfDatabase(databaseUrl);
  if (!vault) return;
  await makeFolder(dataDir).catch((error: unknown) => {
    throw cannotUse(dataDir, error);
  });
  await keepVaultId(dataDir, vault);
}

/**
 * Ties the folder, the database and the bucket together. Opened with the wrong database or bucket, the sweep would delete all files as
 * orphaned, and sealed values in the database could not be read.
 * @throws if they do not belong together.
 */
async function bindToDatabase(
  trx: Knex.Transaction,
  { dataDir, secret, bucket = null }: Folder,
  { where, hasOthers }: { where: string; hasOthers: boolean },
): Promise<void> {
  const mark = vaultMark(secret);
  await execute(trx, CREATE_VAULT_TABLE);
  const found = await queryRow<VaultRow>(trx, `SELECT mark, vault, bucket FROM ${VAULT_TABLE}`);
  const advice = 'Set DATA_DIR and DATABASE_URL to those that go together. Nothing was changed.';
  const vault = await vaultIdOf(dataDir);
  if (found && (found.mark !== mark || (found.vault ?? vault) !== vault))
    throw new Error(
      `The database at ${where} belongs to another data folder, or to another master key. ${advice}`,
    );
  if (!found && isOnPostgres(dataDir))
    throw new Error(
      `The database at ${where} is empty, but ${dataDir} holds the files of another. Restore that one, or: ${advice}`,
    );
  if (found && hasOthers && found.bucket !== bucket)
    throw new Error(
      `Another process on the database at ${where} keeps the files of this vault in ${found.bucket}. Set BLOBS to the same. Nothing was changed.`,
    );
  if (found) await trx(VAULT_TABLE).update({ vault, bucket });
  else await trx(VAULT_TABLE).insert({ mark, vault, bucket });
}

/** The database, and the processes that serve it. */
interface OpenedPostgres extends OpenedDatabase {
  processes: PostgresProcesses;
}

/**
 * Opens the database of `DATABASE_URL` for serving and migrates it: exclusively if the files are in the folder, otherwise beside any
 * number of other processes.
 * @param folder the data folder that the database belongs to.
 * @throws with a message for the admin.
 */
export async function openPostgres(
  address: string,
  folder: Folder,
  log: Pick<Logger, 'warn'>,
): Promise<OpenedPostgres> {
  const where = whereIs(address);
  // `onPostgres` has chosen the SQL of all queries.
  if (!onPostgres) throw new Error('DATABASE_URL is to be set in the environment of this program.');
  if (existsSync(join(folder.dataDir, DATABASE_FILE)))
    throw new Error(
      `${folder.dataDir} holds a database of SQLite. Take DATABASE_URL out of the settings, or bring it to PostgreSQL: npm run admin -- move --to-database postgres://… Nothing was changed.`,
    );
  let processes: PostgresProcesses | undefined;
  let db: Knex | undefined;
  try {
    // Connected first, since its lock keeps two processes that start together from migrating at the same time.
    const connected = (processes = await connectProcesses({
      address,
      several: Boolean(folder.bucket),
      refusal: `Another Almirah works on the database at ${where}. Stop it first, or keep the files in a bucket (BLOBS=s3://…) for each: then several serve it at once.`,
      log,
    }));
    const opened = (db = knex(postgres(address)));
    await connected.withOpeningLock(async () => {
      await checkServer(opened, where);
      await refuseForeign(opened, where);
      const hasOthers = await connected.hasOthers();
      await opened.transaction((trx) => bindToDatabase(trx, folder, { where, hasOthers }));
      if (!isOnPostgres(folder.dataDir)) await markOnPostgres(folder.dataDir);
      // The opening lock is ours, so a migration lock that is left belongs to a process that was killed.
      if ((await versionOf(opened)).done.length > 0) await opened.migrate.forceFreeMigrationsLock();
      await migrate(opened, null, new Date());
    });
    return {
      db: opened,
      processes: connected,
      async close() {
        await opened.destroy();
        await connected.close();
      },
    };
  } catch (error) {
    await db?.destroy();
    await processes?.close();
    const problem = connectionProblem(error, where);
    throw problem === null ? error : new Error(problem, { cause: error });
  }
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { DATABASE_FILE, postgres } from '../../../knexfile.ts';
import { execute, queryRow } from '../../db/sql.ts';
import { onPostgres } from '../../db/dialect.ts';
import { refusalOf } from '../../db/postgres/errors.ts';
import type { ProcessesOnPostgres } from '../../db/postgres/processes.ts';
import { processesOnPostgres } from '../../db/postgres/processes.ts';
import type { OpenedDatabase } from '../database.ts';
import { migrate, versionOf } from '../database.ts';
import { vaultIdOf } from '../vault-id.ts';
import { isOnPostgres, markOnPostgres, vaultMark } from './mark.ts';

const OLDEST = 15;

/** A data folder, and the secret of its master key. */
interface Folder {
  dataDir: string;
  secret: Buffer;
  /** Where the bytes of files are; null in the folder itself, which then is the only one of its vault. */
  bucket?: string | null;
}

/** The host and the name of the database, without what is secret in the address. */
export function whereIs(address: string): string {
  const { host, pathname, searchParams } = new URL(address);
  return `${searchParams.get('host') ?? host}${pathname}`;
}

/** @throws for an older PostgreSQL, for a database that keeps texts in another way than UTF-8, and for one that loses what it said it kept. */
export async function checkServer(db: Knex, where: string): Promise<void> {
  const found = await queryRow<{ version: string; encoding: string; waits: string }>(
    db,
    `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
       current_setting('synchronous_commit') AS waits`,
  );
  const { version, encoding, waits } = found!;
  if (Number.parseInt(version, 10) < OLDEST)
    throw new Error(`PostgreSQL at ${where} is version ${version}. Almirah takes ${OLDEST} and newer.`);
  if (encoding !== 'UTF8')
    throw new Error(
      `The database at ${where} keeps texts as ${encoding}. Make one with: createdb -E UTF8 -T template0 NAME`,
    );
  if (waits === 'off')
    throw new Error(
      `PostgreSQL at ${where} confirms what is not on its disk yet, and a power cut would lose it. Set there: ALTER DATABASE NAME SET synchronous_commit = on`,
    );
}

/** @throws when there are tables in the database that Almirah has not made. */
export async function refuseForeign(db: Knex, where: string): Promise<void> {
  if ((await versionOf(db)).done.length > 0) return;
  const other = await queryRow<{ name: string }>(
    db,
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE 'knex%' LIMIT 1",
  );
  if (!other) return;
  throw new Error(
    `The database at ${where} is not empty and was not made by Almirah (it has a table "${other.name}"). Name an empty one in DATABASE_URL. Nothing was changed.`,
  );
}

/** Where the database says whose it is. The name begins as those of knex, which belong to no vault's tables. */
const VAULT = 'knex_vault';
const VAULT_TABLE = `
  CREATE TABLE IF NOT EXISTS ${VAULT} (mark text PRIMARY KEY);
  ALTER TABLE ${VAULT} ADD COLUMN IF NOT EXISTS vault text, ADD COLUMN IF NOT EXISTS bucket text`;

interface Found {
  mark: string;
  vault: string | null;
  bucket: string | null;
}

/** Which vault a database says that it holds, for a data folder that does not know it yet; null where it says nothing. */
export async function vaultOfDatabase(address: string): Promise<string | null> {
  const db = knex(postgres(address));
  try {
    const there = await db.schema.hasTable(VAULT);
    const known = there && (await db.schema.hasColumn(VAULT, 'vault'));
    return known ? (((await db(VAULT).first('vault')) as Found | undefined)?.vault ?? null) : null;
  } catch (error) {
    const told = refusalOf(error, whereIs(address));
    throw told === null ? error : new Error(told, { cause: error });
  } finally {
    await db.destroy();
  }
}

/**
 * Marks the folder and the database as one another's. Opened with any other, the files would be swept away as nobody's, and nothing
 * that is sealed in the database could be read. So would they where two processes had them in two buckets.
 */
async function demandTogether(
  trx: Knex.Transaction,
  { dataDir, secret, bucket = null }: Folder,
  { where, others }: { where: string; others: boolean },
): Promise<void> {
  const mark = vaultMark(secret);
  await execute(trx, VAULT_TABLE);
  const found = await queryRow<Found>(trx, `SELECT mark, vault, bucket FROM ${VAULT}`);
  const nothing = 'Set DATA_DIR and DATABASE_URL to those that go together. Nothing was changed.';
  const vault = await vaultIdOf(dataDir);
  if (found && (found.mark !== mark || (found.vault ?? vault) !== vault))
    throw new Error(
      `The database at ${where} belongs to another data folder, or to another master key. ${nothing}`,
    );
  if (!found && isOnPostgres(dataDir))
    throw new Error(
      `The database at ${where} is empty, but ${dataDir} holds the files of another. Restore that one, or: ${nothing}`,
    );
  if (found && others && found.bucket !== bucket)
    throw new Error(
      `Another process on the database at ${where} keeps the files of this vault in ${found.bucket}. Set BLOBS to the same. Nothing was changed.`,
    );
  if (found) await trx(VAULT).update({ vault, bucket });
  else await trx(VAULT).insert({ mark, vault, bucket });
}

/** The database, and who else works on it. */
export interface OpenedPostgres extends OpenedDatabase {
  processes: ProcessesOnPostgres;
}

/**
 * Opens the database of `DATABASE_URL` for serving, brought to this program's version: alone where the bytes of files are in the
 * folder, and otherwise beside any number of others.
 * @param folder the data folder which the database belongs to.
 * @throws with a sentence for the admin.
 */
export async function openPostgres(
  address: string,
  folder: Folder,
  log: Pick<Logger, 'warn'>,
): Promise<OpenedPostgres> {
  const where = whereIs(address);
  // The words of all queries were chosen by it.
  if (!onPostgres) throw new Error('DATABASE_URL is to be set in the environment of this program.');
  if (existsSync(join(folder.dataDir, DATABASE_FILE)))
    throw new Error(
      `${folder.dataDir} holds a database of SQLite. Take DATABASE_URL out of the settings, or bring it to PostgreSQL: npm run admin -- move --to-database postgres://… Nothing was changed.`,
    );
  let processes: ProcessesOnPostgres | undefined;
  let db: Knex | undefined;
  try {
    // Before anything is migrated: two that start at once would do it at once.
    const beside = (processes = await processesOnPostgres({
      address,
      several: Boolean(folder.bucket),
      held: `Another Almirah works on the database at ${where}. Stop it first, or keep the files in a bucket (BLOBS=s3://…) for each: then several serve it at once.`,
      log,
    }));
    const opened = (db = knex(postgres(address)));
    await beside.inTurn(async () => {
      await checkServer(opened, where);
      await refuseForeign(opened, where);
      const others = await beside.others();
      await opened.transaction((trx) => demandTogether(trx, folder, { where, others }));
      if (!isOnPostgres(folder.dataDir)) await markOnPostgres(folder.dataDir);
      // Nobody else migrates now: whoever did was killed.
      if ((await versionOf(opened)).done.length > 0) await opened.migrate.forceFreeMigrationsLock();
      await migrate(opened, null, new Date());
    });
    return {
      db: opened,
      processes: beside,
      async close() {
        await opened.destroy();
        await beside.close();
      },
    };
  } catch (error) {
    await db?.destroy();
    await processes?.close();
    const told = refusalOf(error, where);
    throw told === null ? error : new Error(told, { cause: error });
  }
}

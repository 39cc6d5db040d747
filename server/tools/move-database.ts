import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import { flushFolder } from '#storage/durable.ts';
import { openBlobStore } from '#storage/store.ts';
import { DATABASE_FILE, postgres } from '../../knexfile.ts';
import { endOf, includesEnd } from '../audit/proof.ts';
import type { Config } from '../config/config.ts';
import { isCurrent, openDatabase } from '../datadir/database.ts';
import { lockDataFolder } from '../datadir/lock.ts';
import { bytesSourceOf, keySourceOf } from '../datadir/settings.ts';
import { copyToFile, copyToPostgres } from '../datadir/postgres/copies.ts';
import { isOnPostgres, markOnPostgres, unmarkOnPostgres, vaultMark } from '../datadir/postgres/mark.ts';
import {
  checkServer,
  claimForVault,
  DatabaseRefused,
  refuseForeign,
  whereIs,
} from '../datadir/postgres/open.ts';
import { vaultIdOf } from '../datadir/vault-id.ts';
import { onPostgres } from '../db/dialect.ts';
import { connectionProblem } from '../db/postgres/errors.ts';
import { pageKeyOf } from '../db/sqlite/page-encryption.ts';
import type { CopyResult } from '../db/copy/copy-database.ts';
import { CannotCopy } from '../db/copy/copy-database.ts';
import { searchIndex } from '../search/index.ts';
import type { CommandInput } from './command.ts';
import { OTHER_VERSION } from './open-alongside.ts';
import { Refused } from './refused.ts';
import { requireNoUpdate } from './require-no-update.ts';

/** The old database file of a vault that moved to PostgreSQL, until an admin deletes it. */
const LEFT = 'before-postgres.sqlite';

const isPostgres = (address: string): boolean => /^postgres(?:ql)?:\/\//.test(address);

const inWords = ({ tables, rows, names, texts }: CopyResult): string =>
  `${rows} rows of ${tables} tables, ${names} names and ${texts} texts in the indexes were copied, read back and found the same.`;

interface Moving {
  config: Config;
  secret: Buffer;
  say: CommandInput['say'];
}

/** @throws {Refused} when a server is using the database, or it belongs to another vault. */
async function requireUnused(db: Knex, mark: string, where: string): Promise<void> {
  await checkServer(db, where);
  const [{ others }] = await db.raw(
    `SELECT count(*) AS others FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'almirah%' AND pid <> pg_backend_pid()`,
  );
  if (others > 0) throw new Refused(`An Almirah works on the database at ${where}. Stop it first.`);
  await refuseForeign(db, where);
  if (!(await db.schema.hasTable('firms'))) return;
  const found = (await db.schema.hasTable('knex_vault')) && (await db('knex_vault').first('mark'));
  if (found ? found.mark !== mark : await db('firms').where('id', '>', 0).first('id'))
    throw new Refused(`The database at ${where} holds another vault. Nothing was changed.`);
}

async function toPostgres({ config, secret, say }: Moving, address: string): Promise<void> {
  const { dataDir } = config;
  const [file, where] = [join(dataDir, DATABASE_FILE), whereIs(address)];
  const key = pageKeyOf(secret);
  if (isOnPostgres(dataDir) && !existsSync(file))
    throw new Refused(
      `The database of ${dataDir} was moved to PostgreSQL already. Set DATABASE_URL to where it is, and start the server.`,
    );
  // Otherwise the previous run was interrupted after the copy: both hold the same, since no server could write
  // in between.
  if (!isOnPostgres(dataDir)) {
    const [source, target] = [openDatabase(dataDir, { key }), knex(postgres(address))];
    try {
      if (!(await isCurrent(source))) throw new Refused(OTHER_VERSION);
      const mark = vaultMark(secret);
      await requireUnused(target, mark, where);
      await target.migrate.latest();
      const end = await endOf(target);
      if (end && !(await includesEnd(source, end)))
        throw new Refused(
          `The database at ${where} holds later work of this vault, which is not in ${dataDir}. Set DATABASE_URL to go on with it, or name a new, ` +
            'empty database. Nothing was copied.',
        );
      await source.destroy();
      say(`Copying the database to ${where} …`);
      const copied = await copyToPostgres(target, file, key, {
        gramsOf: searchIndex.gramsOf,
        onProgress: say,
        also: async (trx) => claimForVault(trx, mark, await vaultIdOf(dataDir)),
      });
      say(inWords(copied));
    } finally {
      await source.destroy();
      await target.destroy();
    }
    await markOnPostgres(dataDir);
  }
  await rename(file, join(dataDir, LEFT));
  await flushFolder(dataDir);
  say(
    `The database of this vault is at ${where} now. Set DATABASE_URL to it and start the server. The file it was in lies in ` +
      `${dataDir} as ${LEFT}: once "npm run admin -- verify", with DATABASE_URL set, has found all well, delete it.`,
  );
}

async function toFile({ config, secret, say }: Moving): Promise<void> {
  const { dataDir, databaseUrl } = config;
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) {
    const where = whereIs(databaseUrl!);
    const db = knex(postgres(databaseUrl!));
    try {
      await requireUnused(db, vaultMark(secret), where);
      if (!(await isCurrent(db))) throw new Refused(OTHER_VERSION);
      say(`Copying the database from ${where} …`);
      const how = { gramsOf: searchIndex.gramsOf, onProgress: say };
      say(inWords(await copyToFile(db, `${file}.new`, pageKeyOf(secret), how)));
    } finally {
      await db.destroy();
    }
    await rename(`${file}.new`, file);
    await flushFolder(dataDir);
  }
  await unmarkOnPostgres(dataDir);
  say(
    `The database of this vault is in ${dataDir} again. Take DATABASE_URL out of the settings and start the server. ` +
      'PostgreSQL holds what it held: once "npm run admin -- verify" has found all well, drop that database.',
  );
}

/**
 * Moves the database of a data folder to PostgreSQL, or back into a file, while no server runs. It can be run
 * again after an interruption: until the last step the vault stays where it was.
 * @param address postgres://…, or `file`.
 * @throws {Refused}
 */
export async function moveDatabase(config: Config, address: string, { say }: CommandInput): Promise<boolean> {
  const { dataDir, databaseUrl } = config;
  const away = isPostgres(address);
  if (!away && address !== 'file')
    throw new Refused('Say where to: --to-database postgres://… or --to-database file.');
  if (away && !URL.canParse(address))
    throw new Refused(
      'The address should be like postgres://user:password@host/name. In the password write characters such as # / ? % as %23 %2F %3F %25.',
    );
  if (away && onPostgres) throw new Refused('Leave DATABASE_URL out: it is where the database is now.');
  if (!away && !databaseUrl) throw new Refused('Set DATABASE_URL to where the database is now.');
  if (!away && !isOnPostgres(dataDir))
    throw new Refused(`The database of ${dataDir} is in its file already.`);
  const unlock = await lockDataFolder(dataDir).catch((error: Error) => {
    throw new Refused(error.message);
  });
  try {
    await requireNoUpdate(dataDir);
    const { secret } = await openBlobStore({
      ...keySourceOf(config),
      ...bytesSourceOf(config),
      clean: false,
    });
    await (away ? toPostgres({ config, secret, say }, address) : toFile({ config, secret, say }));
    return true;
  } catch (error) {
    if (error instanceof CannotCopy || error instanceof DatabaseRefused) throw new Refused(error.message);
    const refusal = connectionProblem(error, whereIs(away ? address : databaseUrl!));
    throw refusal === null ? error : new Refused(refusal);
  } finally {
    await unlock();
  }
}

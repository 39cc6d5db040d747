import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knex from 'knex';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deriveMasterKey } from '#storage/masterkey.ts';
import { DATABASE_FILE, postgres } from '../../../knexfile.ts';
import { ADVISORY_LOCKS } from '../../db/postgres/advisory-locks.ts';
import { bareDatabase, databaseAt, postgresOnly } from '../../testing/postgres.ts';
import { until } from '../../testing/until.ts';
import { openDataDir } from '../datadir.ts';
import { vaultIdOf } from '../vault-id.ts';
import { adoptVault, openPostgres } from './open.ts';

interface Ctx {
  address: string;
  folder: { dataDir: string; secret: Buffer };
  drop(): Promise<void>;
  /** Uses the database through a connection of its own. */
  beside<T>(work: (db: Knex) => Promise<T>): Promise<T>;
}

const log = pino({ level: 'silent' });
const SECRET = Buffer.alloc(32, 7);

async function told(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.unreachable('it opened'),
    (error: Error) => error,
  );
  return (error as Error).message;
}

const test = suite<Ctx>('opening the database of DATABASE_URL');
test.before.each(async (ctx) => {
  const { address, drop } = await bareDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-on-postgres-'));
  Object.assign(ctx, { address, folder: { dataDir, secret: SECRET } });
  ctx.beside = async (work) => {
    const db = knex(postgres(address));
    return work(db).finally(() => db.destroy());
  };
  ctx.drop = async () => {
    await drop();
    await rm(dataDir, { recursive: true });
  };
});
test.after.each((ctx) => ctx.drop());

test('an empty database is migrated to this version, can be opened again, and allows one server at a time', async ({
  address,
  folder,
}) => {
  const first = await openPostgres(address, folder, log);
  assert.equal(await first.db('firms').where('id', '>', 0), []);
  assert.match(await told(openPostgres(address, folder, log)), /^Another Almirah works on the database at /);
  await first.close();
  const again = await openPostgres(address, folder, log);
  await again.close();
});

test('a lock that is lost with its connection is taken again before another server can take it', async (ctx) => {
  const { address, folder, beside } = ctx;
  const opened = await openPostgres(address, folder, log);
  const locks = `FROM pg_locks WHERE locktype = 'advisory' AND granted AND objid = ${ADVISORY_LOCKS.server}
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const holders = () =>
    beside(async (db): Promise<number[]> =>
      (await db.raw(`SELECT pid ${locks}`)).map(({ pid }: { pid: number }) => pid),
    );
  const [broken] = await holders();
  await beside((db) => db.raw(`SELECT pg_terminate_backend(pid) ${locks}`));
  await until(async () => {
    const [pid] = await holders();
    return pid !== undefined && pid !== broken;
  });
  assert.match(await told(openPostgres(address, folder, log)), /^Another Almirah/);
  await opened.close();
});

test('several processes with separate data folders share one database if files are in a bucket, and otherwise only one may use it', async ({
  address,
  folder: { dataDir },
}) => {
  const bucket = 's3://almirah/vault';
  const masterKey = randomBytes(32).toString('hex');
  const { serverSecret: secret } = deriveMasterKey(Buffer.from(masterKey, 'hex'));
  const folder = { dataDir, secret };
  const first = await openPostgres(address, { ...folder, bucket }, log);
  const own = await mkdtemp(join(tmpdir(), 'almirah-on-postgres-'));
  const beside = { ...folder, dataDir: own, bucket };
  assert.match(await told(openPostgres(address, beside, log)), /belongs to another data folder/);
  // The id that the refused one has left does not stay, for the folder has no key, and so was never a vault.
  await adoptVault({ dataDir: own, databaseUrl: address, masterKey, masterKeyFile: null });
  assert.is(await vaultIdOf(own), await vaultIdOf(dataDir));
  // Where the system takes no folders, Node's recursive `mkdir` never returns.
  const nowhere = { dataDir: '/proc/no/folder', databaseUrl: address, masterKey, masterKeyFile: null };
  assert.match(await told(adoptVault(nowhere)), /The data folder \/proc\/no\/folder cannot be made/);
  const second = await openPostgres(address, beside, log);
  const wrong = openPostgres(address, { ...beside, bucket: 's3://almirah/other' }, log);
  assert.match(await told(wrong), /keeps the files of this vault in s3:\/\/almirah\/vault/);
  assert.match(await told(openPostgres(address, folder, log)), /^Another Almirah works on the database/);
  await first.close();
  await second.close();
  await rm(own, { recursive: true });
});

test('a database and a data folder of different vaults are refused', async ({ address, folder, beside }) => {
  const { close } = await openPostgres(address, folder, log);
  await close();
  const other = { ...folder, secret: Buffer.alloc(32, 8) };
  assert.match(await told(openPostgres(address, other, log)), /belongs to another data folder/);
  await beside((db) => db('knex_vault').delete());
  assert.match(await told(openPostgres(address, folder, log)), /is empty, but .* holds the files of another/);
});

test('a new data folder without the master key of the vault, or with another, is refused before it has a key of its own', async ({
  address,
  folder: { dataDir },
}) => {
  const [key, wrong] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const { serverSecret: secret } = deriveMasterKey(Buffer.from(key, 'hex'));
  await (await openPostgres(address, { dataDir, secret }, log)).close();
  const own = await mkdtemp(join(tmpdir(), 'almirah-on-postgres-'));
  const open = (masterKey: string | null) =>
    openDataDir({ dataDir: own, databaseUrl: address, masterKey, masterKeyFile: null }, log);
  try {
    assert.match(await told(open(null)), /its master key is not in .* Set MASTER_KEY or MASTER_KEY_FILE/);
    assert.match(await told(open(wrong)), /the master key here is not its key/);
    await (await open(key)).close();
  } finally {
    await rm(own, { recursive: true });
  }
});

test('a data folder with an SQLite database, a foreign database and a newer one are refused with the reason', async ({
  address,
  folder,
  beside,
}) => {
  const file = join(folder.dataDir, DATABASE_FILE);
  await writeFile(file, '');
  assert.match(await told(openPostgres(address, folder, log)), /holds a database of SQLite/);
  await rm(file);
  await beside((db) => db.raw('CREATE TABLE recipes (id int)'));
  assert.match(
    await told(openPostgres(address, folder, log)),
    /not made by Almirah \(it has a table "recipes"\)/,
  );
  await beside((db) => db.raw('DROP TABLE recipes'));
  const { close } = await openPostgres(address, folder, log);
  await close();
  await beside((db) => db('knex_migrations').insert({ name: '20990101000000_later.ts', batch: 9 }));
  assert.match(await told(openPostgres(address, folder, log)), /made by a newer Almirah/);
});

test('a database of an earlier version is migrated once', async ({ address, folder, beside }) => {
  const first = await openPostgres(address, folder, log);
  await first.close();
  const last = '20261123030000_newest_names.ts';
  await beside(async (db) => {
    await db.raw('ALTER TABLE item_search DROP COLUMN firm; DROP FUNCTION firm_of, asked_firm');
    await db('knex_baseline').update({ covered: '20261123020000_processes.ts' });
    await db('knex_migrations').where({ name: last }).delete();
  });
  for (let time = 0; time < 2; time += 1) {
    const opened = await openPostgres(address, folder, log);
    assert.ok(await opened.db.schema.hasColumn('item_search', 'firm'));
    await opened.close();
  }
});

test('a problem with DATABASE_URL is reported with what to do, and without the password', async ({
  address,
  folder,
}) => {
  const away = 'postgres://almirah:tell-nobody@127.0.0.1:1/vault';
  const said = await told(openPostgres(away, folder, log));
  assert.match(
    said,
    /^PostgreSQL at 127\.0\.0\.1:1\/vault does not answer .*Start it, or correct DATABASE_URL\.$/,
  );
  assert.not.match(said, /tell-nobody/);
  const missing = databaseAt(address, 'nowhere');
  assert.match(await told(openPostgres(missing, folder, log)), /has no such database\. Make one with/);
  const stranger = new URL(address);
  stranger.username = 'stranger';
  assert.match(await told(openPostgres(stranger.href, folder, log)), /refused the user or the password/);
  const latin = await bareDatabase('LATIN1');
  assert.match(await told(openPostgres(latin.address, folder, log)), /keeps texts as LATIN1/);
  await latin.drop();
  const hasty = `${address}${address.includes('?') ? '&' : '?'}options=${encodeURIComponent('-c synchronous_commit=off')}`;
  assert.match(await told(openPostgres(hasty, folder, log)), /confirms what is not on its disk yet/);
  // A problem of the data folder is not one of PostgreSQL.
  const unreadable = { ...folder, dataDir: join(folder.dataDir, 'other') };
  await mkdir(join(unreadable.dataDir, 'vault.id'), { recursive: true });
  assert.match(await told(openPostgres(address, unreadable, log)), /^EISDIR/);
});

postgresOnly(test).run();

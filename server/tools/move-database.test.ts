import { access, copyFile, cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DATABASE_FILE } from '../../knexfile.ts';
import { vaultIdOf } from '../datadir/vault-id.ts';
import { TUS } from '../testing/access-calls.ts';
import { ASHA } from '../testing/http-world.ts';
import { runAdmin, runAdminOk, listThroughServer, upload } from '../testing/commands.ts';
import { bareDatabase, postgresOnly } from '../testing/postgres.ts';
import { Visitor } from '../testing/visitor.ts';
import { startServer } from '../testing/server-process.ts';
import { migratedFile } from '../testing/template.ts';

interface Ctx {
  address: string;
  scratch: string;
  /** A data folder with an SQLite database and a firm that has one file. */
  dataDir: string;
  jar: Visitor['jar'];
  drop(): Promise<void>;
}

/** Begins a resumable upload: the id of its reservation is random, and larger than an integer of PostgreSQL. */
async function reserveRandomId(visitor: Visitor): Promise<void> {
  const headers = {
    ...TUS,
    'upload-length': '100000',
    'upload-metadata': `filename ${Buffer.from('ledger.txt').toString('base64')}`,
  };
  assert.is((await visitor.post('/api/documents/resumable', undefined, { headers })).status, 201);
}

const test = suite<Ctx>('moving the database of a vault');
test.before.each(async (ctx) => {
  const { address, drop } = await bareDatabase();
  const scratch = await mkdtemp(join(tmpdir(), 'almirah-moving-'));
  const dataDir = join(scratch, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  await copyFile(await migratedFile(), join(dataDir, DATABASE_FILE));
  const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: '' });
  try {
    await server.up();
    const asha = await new Visitor(server.base).arrive();
    assert.is((await asha.post('/api/auth/register', ASHA)).status, 201);
    assert.is((await upload(asha, 'balance sheet.txt')).status, 201);
    await reserveRandomId(asha);
    Object.assign(ctx, { address, scratch, dataDir, jar: asha.jar });
  } finally {
    await server.end('SIGTERM');
  }
  ctx.drop = async () => {
    await drop();
    await rm(scratch, { recursive: true });
  };
});
test.after.each((ctx) => ctx.drop());

const FILE = ['balance sheet.txt'];

test('a vault moves to PostgreSQL and back with all its data', async ({ address, dataDir, jar }) => {
  const [inFile, there] = [
    { DATA_DIR: dataDir, DATABASE_URL: '' },
    { DATA_DIR: dataDir, DATABASE_URL: address },
  ];
  const moved = await runAdminOk(['move', '--to-database', address], inFile);
  assert.match(moved, /rows of \d+ tables, 1 names .* were copied, read back and found the same/);
  assert.equal(await listThroughServer(there, jar, 'later.txt'), [...FILE, 'later.txt']);
  assert.match(await runAdminOk(['move', '--to-database', 'file'], there), /is in .* again/);
  assert.equal(await listThroughServer(inFile, jar), [...FILE, 'later.txt']);
  // PostgreSQL still has the earlier copy of this vault, which the next move replaces.
  await runAdminOk(['move', '--to-database', address], inFile);
});

test('an interrupted move is completed by the next run, and until then no server starts on either database', async ({
  address,
  dataDir,
}) => {
  const [inFile, there] = [
    { DATA_DIR: dataDir, DATABASE_URL: '' },
    { DATA_DIR: dataDir, DATABASE_URL: address },
  ];
  await runAdminOk(['move', '--to-database', address], inFile);
  await rename(join(dataDir, 'before-postgres.sqlite'), join(dataDir, DATABASE_FILE));
  for (const env of [inFile, there]) {
    const server = await startServer(env);
    assert.match(await server.refusal(), /Nothing was changed/);
  }
  await runAdminOk(['move', '--to-database', address], inFile);
  assert.not.ok((await readdir(dataDir)).includes(DATABASE_FILE));
  assert.match((await runAdmin(['verify'], inFile)).said, /is in PostgreSQL: set DATABASE_URL to it/);
  assert.match(await runAdminOk(['verify'], there), /1 files, .*: present, of the right size/);
});

test('another data folder that starts first after the move is of the same vault, so that a setting left out there does not lock the first one out', async ({
  address,
  dataDir,
  jar,
  scratch,
}) => {
  await runAdminOk(['move', '--to-database', address], { DATA_DIR: dataDir, DATABASE_URL: '' });
  const own = { DATA_DIR: join(scratch, 'own'), MASTER_KEY_FILE: join(dataDir, 'master.key') };
  const server = await startServer({ ...own, DATABASE_URL: address });
  assert.match(await server.refusal(), /names files, but .* has none of the oldest/);
  assert.equal(await listThroughServer({ DATA_DIR: dataDir, DATABASE_URL: address }, jar), FILE);
  assert.is(await vaultIdOf(own.DATA_DIR), await vaultIdOf(dataDir));
});

test('an older copy of the vault does not replace later work in PostgreSQL, which nothing else may hold', async ({
  address,
  dataDir,
  jar,
  scratch,
}) => {
  const older = join(scratch, 'older');
  await cp(dataDir, older, { recursive: true });
  const there = { DATA_DIR: dataDir, DATABASE_URL: address };
  await runAdminOk(['move', '--to-database', address], { ...there, DATABASE_URL: '' });
  const again = await runAdmin(['move', '--to-database', address], { ...there, DATABASE_URL: '' });
  assert.match(again.said, /was moved to PostgreSQL already\. Set DATABASE_URL/);
  await listThroughServer(there, jar, 'later.txt');
  const { code, said } = await runAdmin(['move', '--to-database', address], {
    DATA_DIR: older,
    DATABASE_URL: '',
  });
  assert.is(code, 1, said);
  assert.match(said, /holds later work of this vault, which is not in/);
  assert.equal(await listThroughServer(there, jar), [...FILE, 'later.txt']);
});

test('obstacles are reported before anything is changed', async ({ address, dataDir, scratch }) => {
  const inFile = { DATA_DIR: dataDir, DATABASE_URL: '' };
  const said = async (args: readonly string[], env: Record<string, string>) => {
    const { code, said: words } = await runAdmin(args, env);
    assert.is(code, 1, words);
    return words;
  };
  const stranger = new URL(address);
  stranger.username = 'stranger';
  assert.match(
    await said(['move', '--to-database', stranger.href], inFile),
    /refused the user or the password/,
  );
  assert.match(await said(['move', '--to-database', 'mysql://x'], inFile), /^Say where to/);
  const unwritten = 'postgres://almirah:50%off#1@127.0.0.1/almirah';
  assert.match(await said(['move', '--to-database', unwritten], inFile), /^The address should be like/);
  const latin = await bareDatabase('LATIN1');
  assert.match(
    await said(['move', '--to-database', latin.address], inFile),
    /^The database at .* keeps texts as LATIN1/,
  );
  await latin.drop();
  assert.match(await said(['move', '--to-database', 'file'], inFile), /^Set DATABASE_URL/);
  const other = { DATA_DIR: join(scratch, 'other'), DATABASE_URL: address };
  const server = await startServer(other);
  await server.up();
  assert.match(await said(['move', '--to-database', address], inFile), /An Almirah works on the database/);
  await server.end('SIGTERM');
  assert.match(await said(['move', '--to-database', address], inFile), /holds another vault/);
  assert.match(
    await said(['verify'], { DATA_DIR: dataDir, DATABASE_URL: address }),
    /is not that of this data folder/,
  );
  await access(join(dataDir, DATABASE_FILE));
});

postgresOnly(test).run();

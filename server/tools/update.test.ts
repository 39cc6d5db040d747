import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DATABASE_FILE } from '../../knexfile.ts';
import { readConfig } from '../config/config.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { migratedFile } from '../testing/template.ts';
import { makeCurrent, migrationsIn } from '../updates/layout.ts';
import { packRelease } from '../updates/pack.ts';
import type { UpdateRecord } from '../updates/record.ts';
import { recordsOf } from '../updates/record.ts';
import { makeKey } from '../updates/testing/installation.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What a start and the commands read besides the bundled program. */
const PARTS = [
  'server/main.ts',
  'server/tools',
  'server/updates/release-keys.txt',
  'migrations',
  'dist/program',
  'package-lock.json',
];
/** In place of the built pages. */
const PAGES = "export const handler = (req, res) => void res.end('a page');\n";
/** In place of prepare.mjs, for a version that needs no packages and no building. */
const PREPARED = 'export const isBuilt = () => true;\n';
const STEP = '20991231000000_of_the_new_version.ts';

interface World {
  scratch: string;
  base: string;
  env: Record<string, string>;
  admin(...args: string[]): Promise<{ code: number; said: string }>;
  /** Makes the archive of a version with one more migration. */
  release(version: string, change?: (folder: string) => Promise<void>): Promise<string>;
}

const test = suite<World>('npm run admin -- update');
const { privateKey, key } = makeKey();

async function layOut(folder: string, version: string): Promise<void> {
  for (const part of PARTS) await cp(join(ROOT, part), join(folder, part), { recursive: true });
  const { default: own } = await import('../../package.json', { with: { type: 'json' } });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...own, version }));
  await writeFile(join(folder, 'server/tools/prepare.mjs'), PREPARED);
  await Promise.all(
    ['server', 'client'].map((part) => mkdir(join(folder, 'dist', part), { recursive: true })),
  );
  await writeFile(join(folder, 'dist/server/entry.mjs'), PAGES);
  await writeFile(join(folder, 'dist/client/robots.txt'), '');
}

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

test.before(async (world) => {
  world.scratch = await mkdtemp(join(tmpdir(), 'almirah-updated-'));
  world.base = join(world.scratch, 'almirah');
  await layOut(world.base, '1.0.0');
  await symlink(join(ROOT, 'node_modules'), join(world.base, 'node_modules'));
  const { PATH = '', HOME = '' } = process.env;
  world.env = {
    PATH,
    HOME,
    NODE_COMPILE_CACHE: join(world.scratch, 'compiled'),
    DATA_DIR: join(world.scratch, 'data'),
    RELEASE_KEYS: key,
  };
  await mkdir(world.env.DATA_DIR!, { mode: 0o700 });
  await copyFile(await migratedFile(), join(world.env.DATA_DIR!, DATABASE_FILE));
  await (await openDataDir(readConfig(world.env), pino({ level: 'silent' }))).close();
  world.admin = (...args) =>
    new Promise((resolve) => {
      const options = { cwd: world.base, env: world.env };
      execFile(
        process.execPath,
        ['server/tools/admin.mjs', ...args],
        options,
        (error, out, complaint) =>
          void resolve({ code: error ? Number(error.code ?? 1) : 0, said: out + complaint }),
      );
    });
  world.release = async (version, change) => {
    const folder = join(world.scratch, `next-${version}`);
    await layOut(folder, version);
    await writeFile(
      join(folder, 'migrations', STEP),
      `export const lost = null;
export const up = (db) => db.schema.createTable('of_the_new_version', (table) => table.increments());
export const down = (db) => db.schema.dropTable('of_the_new_version');\n`,
    );
    await change?.(folder);
    const archive = join(world.scratch, `almirah-${version}.tar.gz`);
    const facts = { version, node: 20, commit: 'c0ffee', made_at: '2026-11-23T00:00:00.000Z' };
    const migrations = await migrationsIn(folder);
    await packRelease(folder, await filesBelow(folder), archive, { ...facts, migrations }, privateKey);
    return archive;
  };
});
test.after(({ scratch }) => rm(scratch, { recursive: true }));

test('a version that cannot start fails in its trial, and the previous one stays with its database', async ({
  admin,
  release,
  base,
}) => {
  const archive = await release('1.0.1', async (folder) => {
    await writeFile(join(folder, 'dist/server/entry.mjs'), 'throw new Error("No pages here.");\n');
  });
  const { code, said } = await admin('update', archive);
  assert.is(code, 1, said);
  assert.match(said, /1\.0\.1 does not work here: it did not start\. It said:[^]*No pages here\./);
  assert.is(said.match(/it did not start/g)?.length, 1, 'the reason stands there once');
  assert.match(
    said,
    /The database is as it was\. 1\.0\.0 is ready\. Start it: npm start\n$/,
    'nobody starts it',
  );
  assert.is(await readlink(join(base, 'current')), '.');
  const { said: status } = await admin('update', 'status');
  assert.match(status, /^Version 1\.0\.0 runs\.\nThe last update, from 1\.0\.0 to 1\.0\.1, went back on /);
  const { said: migrated } = await admin('migrate');
  assert.match(migrated, /is at \S+ already/, 'its database is of its own form');
});

test('a release is verified, tried on the real data folder and made current, and then runs all commands', async ({
  admin,
  release,
  base,
  env,
}) => {
  const archive = await release('1.1.0');
  const checked = await admin('update', archive, '--check');
  assert.is(checked.code, 0, checked.said);
  assert.match(
    checked.said,
    /1\.1\.0 of 2026-11-23 \(c0ffee\): signed, \d+ files, 1 change of the database\./,
  );
  assert.not.ok(existsSync(join(base, 'releases/1.1.0')), 'a check brings nothing');
  const { code, said } = await admin('update', archive);
  assert.is(code, 0, said);
  assert.match(said, /\n1\.1\.0 is ready\. Start it: npm start\n$/, 'there is no service to start it');
  assert.is(await readlink(join(base, 'current')), 'releases/1.1.0');
  assert.match(
    (await admin('update', 'status')).said,
    /^Version 1\.1\.0 runs\.\nThe last update, from 1\.0\.0 to/,
  );
  assert.match((await admin('migrate')).said, /20991231000000_of_the_new_version\.ts already/);
  assert.match((await admin('update', archive)).said, /^Checking the archive\.\n1\.1\.0 runs already\./);
  const older = await release('1.0.2', (folder) => rm(join(folder, 'server'), { recursive: true }));
  assert.match((await admin('update', older)).said, /1\.0\.2 is older than 1\.1\.0, which runs\. To go back/);
  env.RELEASE_KEYS = makeKey().key;
  assert.match((await admin('update', older)).said, /is not signed by the maintainers/);
  env.RELEASE_KEYS = '';
  assert.match((await admin('update', older)).said, /knows no key by which releases are signed/);
  env.RELEASE_KEYS = `"${key}"`;
  assert.match((await admin('update', older)).said, /RELEASE_KEYS is in quotation marks/);
  env.RELEASE_KEYS = key;
});

test('"update finish" completes an interrupted update at each of its steps, and prints nothing where there was none', async ({
  admin,
  base,
  env,
}) => {
  const { dataDir } = readConfig(env);
  const records = recordsOf(dataDir);
  const finished = (await records.read())!;
  const cut = async (step: UpdateRecord['step'], folder: string): Promise<string> => {
    await makeCurrent(base, folder);
    await records.write({ ...finished, step, database: false, ended_at: null, why: 'It fell over.' });
    const { code, said } = await admin('update', 'finish');
    assert.is(code, 0, said);
    return said;
  };
  const [older, newer] = [base, join(base, 'releases/1.1.0')];
  const ends = 'The update from 1.0.0 to 1.1.0 was cut short.\n';
  assert.is(
    await cut('switching', older),
    `${ends}1.1.0 is ready. Start it: npm start\n`,
    'the new version had been found to work',
  );
  assert.is(await readlink(join(base, 'current')), 'releases/1.1.0');
  assert.is(await cut('watching', newer), `${ends}1.1.0 is ready. Start it: npm start\n`);
  assert.is(await readlink(join(base, 'current')), 'releases/1.1.0');
  assert.is((await records.read())?.step, 'done');
  assert.equal(await admin('update', 'finish'), { code: 0, said: '' });
  assert.match(
    await cut('trying', older),
    /cut short\.\n1\.1\.0 did not work: It fell over\.\nStaying with 1\.0\.0\.\nThe database is as it was\. 1\.0\.0 is ready/,
  );
  assert.is(await readlink(join(base, 'current')), '.');
  assert.match(
    await cut('returning', newer),
    /1\.1\.0 does not work here: It fell over\.\nGoing back to 1\.0\.0\.\nThe database is as it was\. 1\.0\.0 is ready/,
  );
  assert.is(await readlink(join(base, 'current')), '.');
  assert.is((await records.read())?.step, 'back');
  assert.equal(await admin('update', 'finish'), { code: 0, said: '' });
  await makeCurrent(base, newer);
  await records.write(finished);
});

test('the older program refuses the newer database and says what to do; "update back" reverts its migrations', async ({
  admin,
  base,
  env,
}) => {
  const start = await new Promise<string>((resolve) =>
    execFile(
      process.execPath,
      [join(base, 'server/main.ts')],
      { cwd: base, env: { ...env, PORT: '0' }, timeout: 180_000 },
      (_, out, complaint) => void resolve(out + complaint),
    ),
  );
  assert.match(
    start,
    /made by a newer Almirah \(it has been through 20991231000000_of_the_new_version\.ts\)/,
  );
  assert.match(start, /Start that version/);
  const { code, said } = await admin('update', 'back');
  assert.is(code, 0, said);
  assert.match(said, /down  20991231000000_of_the_new_version\.ts/);
  assert.is(await readlink(join(base, 'current')), '.');
  assert.match((await admin('update', 'status')).said, /^Version 1\.0\.0 runs\./);
});

test('updating a running server that is not a service is refused with the advice to stop it first', async ({
  admin,
  env,
  scratch,
}) => {
  const vault = await openDataDir(readConfig(env), pino({ level: 'silent' }));
  try {
    const { code, said } = await admin('update', join(scratch, 'almirah-1.1.0.tar.gz'));
    assert.is(code, 1);
    assert.match(
      said,
      /The server runs, and is no service of this machine[^]*Stop it, then run this again\./,
    );
  } finally {
    await vault.close();
  }
});

test.run();

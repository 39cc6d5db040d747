import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { compose } from '../services.ts';
import { createBuild } from '../testing/build.ts';
import { COPIES_KEPT, copyDatabase } from '../datadir/copies.ts';
import { openVaultDatabase } from '../testing/vault-database.ts';
import { openDataDir } from '../datadir/datadir.ts';
import { migrate } from './migrate.ts';

const test = suite<{ scratch: string; dataDir: string }>('migrate, and knex over a data folder');
const log = pino({ level: 'silent' });
const ROOT = join(import.meta.dirname, '../..');

test.before.each(async (world) => {
  world.scratch = await mkdtemp(join(tmpdir(), 'almirah-migrate-'));
  world.dataDir = join(world.scratch, 'data');
});
test.after.each(({ scratch }) => rm(scratch, { recursive: true }));

async function office(dataDir: string): Promise<void> {
  const vault = await openDataDir(readConfig({ DATA_DIR: dataDir }), log);
  const services = compose({ ...vault, log, clock: () => new Date(), config: { abuseLimits: false } });
  const build = createBuild({ ...vault, services });
  const actor = await build.actor();
  await build.file(actor, { parent_id: (await build.folder(actor)).id });
  await vault.close();
}

async function run(dataDir: string, options = {}): Promise<string> {
  const said: string[] = [];
  await migrate.run({ args: [], options, env: { DATA_DIR: dataDir }, say: (line) => said.push(line) });
  return said.join('\n');
}

const refused = (dataDir: string, options: object, why: RegExp): Promise<void> =>
  run(dataDir, options).then(
    (said) => assert.unreachable(said),
    (error: Error) => assert.match(error.message, why),
  );

async function counts(dataDir: string): Promise<{ users: number; steps: number }> {
  const db = await openVaultDatabase(dataDir);
  const users = (await db('users')).length;
  const steps = (await db('knex_migrations')).length;
  await db.destroy();
  return { users, steps };
}

function knex(dataDir: string, ...args: string[]): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const entry = join(ROOT, 'node_modules/knex/bin/cli.js');
    const how = { cwd: ROOT, env: { ...process.env, DATA_DIR: dataDir } };
    execFile(process.execPath, [entry, ...args], how, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out: out + err }),
    );
  });
}

test('a rollback by knex on a vault in use is refused with what to do instead', async ({ dataDir }) => {
  await office(dataDir);
  const before = await counts(dataDir);
  for (const how of [['migrate:rollback'], ['migrate:rollback', '--all'], ['migrate:down']]) {
    const { code, out } = await knex(dataDir, ...how);
    assert.is(code, 1, how.join(' '));
    assert.match(out, /npm run admin -- migrate --to NAME/);
    assert.equal(await counts(dataDir), before, how.join(' '));
  }
  assert.match((await knex(dataDir, 'migrate:status')).out, /No Pending Migration files Found/);
});

test('migrate:status in a clone without a data folder creates none', async ({ scratch, dataDir }) => {
  const { code, out } = await knex(dataDir, 'migrate:status');
  assert.is(code, 1);
  assert.match(out, /holds no almirah\.sqlite yet/);
  assert.not.match(out, / at .*\.(?:js|ts):/, 'a sentence, not a stack');
  assert.equal(await readdir(scratch), []);
});

test('migrating down is refused with a list of the data that would be lost, and done only with --lose-data', async ({
  dataDir,
}) => {
  await office(dataDir);
  const before = await counts(dataDir);
  await refused(
    dataDir,
    { to: 'outbox' },
    /20261121100000_checksums\.ts: checksums for ZIP downloads[^]*two_step_resets_devices\.ts: two-step sign-in[^]*--lose-data/,
  );
  assert.equal(await counts(dataDir), before);
  assert.not((await readdir(dataDir)).includes('backups'), 'nothing was begun');

  const said = await run(dataDir, { to: 'outbox', 'lose-data': true });
  assert.match(said, /The database as it is now is in .*before-migration-.*\.sqlite\.\n/);
  assert.match(said, /down {2}20261120140100_two_step_resets_devices\.ts$/);
  const [copy] = await readdir(join(dataDir, 'backups'));
  const there = await counts(dataDir);
  assert.is(there.users, 1);
  assert.ok(there.steps < before.steps);

  assert.match(await run(dataDir), /up {4}20261120140100_two_step/);
  assert.equal(await counts(dataDir), before);
  await copyFile(join(dataDir, 'backups', copy!), join(dataDir, 'almirah.sqlite'));
  assert.equal(await counts(dataDir), before, 'the copy is the vault of before');
});

test('migrations that lose nothing need no --lose-data, and an empty vault can be migrated to any version', async ({
  scratch,
  dataDir,
}) => {
  await office(dataDir);
  await run(dataDir, { to: '20261121140000_item_checksums', 'lose-data': true });
  assert.match(
    await run(dataDir, { to: 'covering_file_filters' }),
    /down {2}20261121140000_item_checksums\.ts/,
  );
  assert.match(await run(dataDir, { to: 'covering_file_filters' }), /at 2026.* already/);
  const empty = join(scratch, 'empty');
  await (await openDataDir(readConfig({ DATA_DIR: empty }), log)).close();
  assert.match(await run(empty, { to: 'firms_users_sessions' }), /down {2}20261120100100/);
});

test('a running server, an ambiguous name and a folder that is no vault are refused', async ({
  scratch,
  dataDir,
}) => {
  await refused(scratch, {}, /holds no almirah\.sqlite/);
  await office(dataDir);
  await refused(dataDir, { to: 'nothing_like_it' }, /no migration "nothing_like_it"/);
  await refused(dataDir, { to: 'covering' }, /Give more of it/);
  const vault = await openDataDir(readConfig({ DATA_DIR: dataDir }), log);
  await refused(dataDir, {}, /Another Almirah is running/);
  await vault.close();
});

test('the newest three of the copies made before migrations are kept', async ({ dataDir }) => {
  await office(dataDir);
  const db = await openVaultDatabase(dataDir);
  const backups = join(dataDir, 'backups');
  const made: string[] = [];
  for (let day = 1; day <= COPIES_KEPT + 2; day += 1)
    made.push(await copyDatabase(db, backups, new Date(Date.UTC(2026, 10, day))));
  await db.destroy();
  const kept = (await readdir(backups)).map((name) => join(backups, name));
  assert.equal(kept.toSorted(), made.slice(-COPIES_KEPT));
});

test.run();

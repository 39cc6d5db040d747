import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { compose } from '../services.ts';
import { createBuild } from '../testing/build.ts';
import { openPlainVault } from '../testing/vault-database.ts';
import { openDataDir } from './datadir.ts';

const test = suite<{ dataDir: string }>('file modes of a data folder');

test.before.each(async (world) => {
  world.dataDir = await mkdtemp(join(tmpdir(), 'almirah-loose-'));
});
test.after.each(({ dataDir }) => rm(dataDir, { recursive: true }));

const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

test('an older data folder that others can read is opened and restricted to its owner; files that are not ours stay unchanged', async ({
  dataDir,
}) => {
  const config = readConfig({ DATA_DIR: dataDir });
  const log = pino({ level: 'silent' });
  await (await openDataDir(config, log)).close();
  const database = join(dataDir, 'almirah.sqlite');
  await writeFile(join(dataDir, 'notes.txt'), 'of the admin');
  for (const [path, loose] of [
    [dataDir, 0o755],
    [database, 0o644],
    [join(dataDir, 'notes.txt'), 0o644],
  ] as const)
    await chmod(path, loose);
  const vault = await openDataDir(config, log);
  assert.is(await mode(dataDir), 0o700);
  assert.is(await mode(database), 0o600);
  await vault.db('firms').insert({ id: 7, name: 'Rao & Co', created_at: '' });
  assert.is(await mode(`${database}-wal`), 0o600);
  assert.is(await mode(join(dataDir, 'notes.txt')), 0o644);
  await vault.close();
});

test('deleted rows leave no trace in the database file, nor in the write-ahead log after a checkpoint', async ({
  dataDir,
}) => {
  const vault = await openPlainVault(dataDir);
  const pan = 'QWERP9876Z';
  const inFiles = async () => {
    await vault.db.raw('PRAGMA wal_checkpoint(TRUNCATE)');
    const all = await Promise.all(
      ['almirah.sqlite', 'almirah.sqlite-wal'].map((name) => readFile(join(dataDir, name), 'latin1')),
    );
    return all.join('').includes(pan);
  };
  const firm = { id: 7, name: 'Rao & Co', created_at: '' };
  await vault.db('firms').insert(firm);
  const client = { firm_id: 7, name: 'Meera', client_type: 'Individual', status: 'Active', pan };
  await vault.db('clients').insert({ ...client, created_at: '', updated_at: '', notes: `PAN ${pan}` });
  assert.ok(await inFiles());
  await vault.db('clients').where({ pan }).delete();
  assert.not(await inFiles());
  await vault.close();
});

test('a deleted client leaves no trace in the database file once the recurring job for its files has run', async ({
  dataDir,
}) => {
  const log = pino({ level: 'silent' });
  const vault = await openPlainVault(dataDir);
  let now = Date.now();
  const services = compose({
    ...vault,
    log,
    clock: () => new Date(now),
    config: { abuseLimits: false },
  });
  const pan = 'QWEPR9876Z';
  const inFiles = async () => {
    await vault.db.raw('PRAGMA wal_checkpoint(TRUNCATE)');
    const names = (await readdir(dataDir)).filter((name) => name.startsWith('almirah.sqlite'));
    const all = await Promise.all(names.map((name) => readFile(join(dataDir, name), 'latin1')));
    return all.join('').includes(pan);
  };
  try {
    const build = createBuild({ ...vault, services });
    const actor = await build.actor();
    const id = await build.client(actor, 'Meera', { pan, notes: `PAN ${pan}` });
    await build.file(actor, { name: 'Form 16.pdf', client_id: id });
    await services.clients.update(actor, id, { notes: `${pan} of 2026` });
    assert.ok(await inFiles());
    await services.clients.remove(actor, id);
    await services.jobs.start();
    now += 1000;
    await services.jobs.runDue('unlink-deleted-clients');
    assert.equal(await vault.db('clients').where({ id }), []);
    assert.not(await inFiles());
  } finally {
    await services.stop();
    await vault.close();
  }
});

if (process.getuid?.() === 0) {
  // The folder belongs to root. The process drops root only after it has loaded its code, which perhaps only root may read.
  const toldOf = (dataDir: string): string => {
    const code = `
      const { tightenModes } = await import(${JSON.stringify(import.meta.resolve('./file-modes.ts'))});
      process.setuid(65534);
      await tightenModes(${JSON.stringify(dataDir)}).catch(({ message }) => process.stdout.write(message));`;
    return spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout;
  };

  test('a folder that the user who starts the server cannot open is refused with its owner and what to do', async ({
    dataDir,
  }) => {
    const told = `${dataDir} belongs to another user (0), who alone may open it.`;
    assert.ok(toldOf(dataDir).startsWith(told), toldOf(dataDir));
    assert.match(
      toldOf(dataDir),
      `systemctl start almirah. To give it to the user who starts the server: sudo chown -R 65534 ${dataDir}`,
    );
  });

  test('a folder of another user that others can read is refused with the command that corrects it', async ({
    dataDir,
  }) => {
    await chmod(dataDir, 0o755);
    assert.is(
      toldOf(dataDir),
      `${dataDir} belongs to another user and is open to others on this machine. ` +
        `Run: sudo chown -R 65534 ${dataDir} && sudo chmod -R go= ${dataDir}`,
    );
    assert.is(await mode(dataDir), 0o755, 'it is left as it was');
  });
}

test.run();

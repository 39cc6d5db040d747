import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DATABASE_FILE } from '../../knexfile.ts';
import { readConfig } from '../config/config.ts';
import { freePort } from '../testing/free-port.ts';
import { CONTENTS, PLANTED, plant, sendHalf } from '../testing/canaries.ts';
import type { Planted } from '../testing/canaries.ts';
import { migratedFile } from '../testing/template.ts';
import { findTraces } from '../testing/traces.ts';
import { until } from '../testing/until.ts';
import { backup } from '../tools/backup.ts';
import { copyDatabase, copyPages } from './copies.ts';
import { openDatabase } from './database.ts';
import { findPageKey } from './page-key.ts';

interface Office {
  root: string;
  base: string;
  server: ChildProcess;
  start(): Promise<void>;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** The planted texts that are readable anywhere on the disk. */
  traces(): Promise<string[]>;
}

const SERVER = join(import.meta.dirname, '../testing/bare-server.ts');

const test = suite<Office>('texts planted in a vault');

test.before(async (office) => {
  office.root = await mkdtemp(join(tmpdir(), 'almirah-planted-'));
  const of = (name: string) => join(office.root, name);
  const port = await freePort();
  for (const name of ['data', 'nightly', 'log']) await mkdir(of(name));
  // A migrated database, since the migrations would take longer than the rest of the test.
  await copyFile(await migratedFile(), join(of('data'), DATABASE_FILE));
  office.base = `http://localhost:${port}`;
  office.start = async () => {
    office.server = spawn(process.execPath, [SERVER], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
        DATA_DIR: of('data'),
        BACKUP_DIR: of('nightly'),
        LOG_FILE: join(of('log'), 'almirah.log'),
        LOG_LEVEL: 'trace',
        PORT: String(port),
        TRUST_PROXY: 'loopback',
        ABUSE_LIMITS: 'off',
        READING_SCANS: 'off',
        TRASH_DAYS: '0',
      },
    });
    await until(() =>
      fetch(`${office.base}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  };
  office.end = async (signal) => {
    if (office.server.exitCode !== null || office.server.signalCode !== null) return;
    const gone = once(office.server, 'exit');
    office.server.kill(signal);
    await gone;
  };
  office.traces = async () => {
    const found = await findTraces(office.root, PLANTED.all, CONTENTS);
    // The log contains the address from which passwords are guessed, so that the operator can see it.
    return found.filter((trace) => trace !== `${PLANTED.address} in ${join(of('log'), 'almirah.log')}`);
  };
});
test.after(async ({ end, root }) => {
  await end('SIGKILL');
  await rm(root, { recursive: true });
});

/** Resolves when the planted files have been read and their fields recognised, and the e-mails are in the outbox. */
async function settled({ call, items }: Planted, dataDir: string): Promise<void> {
  for (const id of items.slice(1))
    await until(async () => {
      const { json } = await call('GET', `/api/documents/${id}/reading`);
      return json.data.state === 'read';
    });
  await until(async () => (await readdir(join(dataDir, 'outbox'))).length >= 4);
}

/** All rows of the database, read with the key. */
async function withKey(dataDir: string): Promise<string> {
  const config = readConfig({ DATA_DIR: dataDir });
  const key = await findPageKey(config);
  const db = openDatabase(dataDir, { key: key! });
  try {
    const tables = await db('sqlite_master').where({ type: 'table' }).pluck('name');
    const own = tables.filter((name) => !/^(?:sqlite_|knex_|.*_search(?:_|$))/.test(name));
    const rows = await Promise.all(own.map((name) => db(name)));
    return JSON.stringify(rows);
  } finally {
    await db.destroy();
  }
}

/** Makes every kind of copy of a vault in use. */
async function copyInEveryWay({ call }: Planted, root: string): Promise<void> {
  const dataDir = join(root, 'data');
  await call('POST', '/api/backups/run');
  await until(async () => (await call('GET', '/api/backups')).json.data.backups[0]?.status === 'done');
  await backup.run({
    args: [join(root, 'by-hand')],
    options: {},
    env: { DATA_DIR: dataDir },
    say: () => {},
  });
  const key = (await findPageKey(readConfig({ DATA_DIR: dataDir })))!;
  const db = openDatabase(dataDir, { key });
  await copyDatabase(db, join(dataDir, 'backups'), new Date());
  await db.destroy();
  await copyPages(dataDir, key, join(dataDir, 'backups', 'pages'));
}

test('no planted text is readable on the disk: while the server runs, in any copy, after a crash, or after deletion', async (office) => {
  const { root, base } = office;
  const dataDir = join(root, 'data');
  await office.start();
  const planted = await plant(base);
  await settled(planted, dataDir);
  await copyInEveryWay(planted, root);
  const stop = sendHalf(base, planted.admin);
  await until(async () => (await readdir(join(dataDir, 'blobs', 'tmp'))).length > 0);
  assert.equal(await office.traces(), [], 'while they work');
  const readable = (await withKey(dataDir)).toLowerCase();
  const missing = PLANTED.inDatabase.filter((text) => !readable.includes(text.toLowerCase()));
  assert.equal(missing, [], 'all of it is there, for who has the key');

  await office.end('SIGKILL');
  stop();
  assert.equal(await office.traces(), [], 'as a crash leaves it');

  await office.start();
  const { call, items, client } = planted;
  await call('POST', '/api/documents/delete', { ids: items });
  await call('DELETE', `/api/clients/${client}`);
  await office.end('SIGTERM');
  assert.equal(await office.traces(), [], 'after it was deleted');
});

test.run();

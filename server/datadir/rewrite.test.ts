import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { migrate, openDatabase } from './database.ts';
import { openPlainVault } from '../testing/vault-database.ts';
import { rewriteOnce } from './rewrite.ts';
import { openDataDir } from './datadir.ts';

const PAN = 'QWERP9876Z';
const MB = 1024 * 1024;

interface Folder {
  dataDir: string;
  said: string[];
  log: never;
  /** Whether a database file in the folder contains the text. */
  holds(): Promise<boolean>;
  /** A vault as an older version left it: a client was deleted, and nothing overwritten. */
  old(): Promise<void>;
}

const test = suite<Folder>('rewriting a database with data deleted by older versions');

test.before.each(async (folder) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-rewriting-'));
  const said: string[] = [];
  const say = (...told: unknown[]) => void said.push(String(told.at(-1)));
  Object.assign(folder, { dataDir, said, log: { info: say, warn: say, error: say } });
  folder.holds = async () => {
    const names = (await readdir(dataDir)).filter((name) => name.startsWith('almirah.sqlite'));
    const all = await Promise.all(names.map((name) => readFile(join(dataDir, name), 'latin1')));
    return all.join('').includes(PAN) || all.join('').includes(PAN.toLowerCase());
  };
  folder.old = async () => {
    const { db, close } = await openPlainVault(dataDir);
    await db.raw('PRAGMA secure_delete = OFF');
    await db.raw('PRAGMA user_version = 0');
    await db('firms').insert({ id: 7, name: 'Rao & Co', created_at: '' });
    const row = { firm_id: 7, client_type: 'Individual', status: 'Active', created_at: '', updated_at: '' };
    const clients = Array.from({ length: 400 }, (_, n) => ({
      ...row,
      name: `Client ${n}`,
      notes: `${n} ${PAN}`,
    }));
    for (let start = 0; start < clients.length; start += 50)
      await db('clients').insert(clients.slice(start, start + 50));
    const entries = Array.from({ length: 100 }, (_, n) => ({ rowid: n + 1, grams: `${n || PAN}` }));
    await db.transaction((trx) => trx('item_search').insert(entries));
    await db('item_search').where({ rowid: 1 }).delete();
    await db('clients').where('name', '<>', 'Client 7').delete();
    await db('clients').update({ notes: 'stays' });
    await close();
  };
});
test.after.each(({ dataDir }) => rm(dataDir, { recursive: true }));

test('the first start removes data deleted by older versions from the file and its log, and logs that once', async (folder) => {
  await folder.old();
  assert.ok(await folder.holds(), 'it was there');
  const config = readConfig({ DATA_DIR: folder.dataDir });
  const vault = await openDataDir(config, folder.log);
  assert.not(await folder.holds());
  assert.equal(await vault.db('clients').pluck('notes'), ['stays']);
  assert.equal(await vault.db.raw('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  assert.equal(await vault.db.raw('PRAGMA temp_store'), [{ temp_store: 2 }]);
  await vault.close();
  assert.match(folder.said.join('\n'), /no longer in its file.*backups.* hold what they held/s);
  folder.said.length = 0;
  await (await openDataDir(config, folder.log)).close();
  assert.equal(folder.said, []);
});

test('without enough free space the rewrite is postponed to the next start, which is logged', async (folder) => {
  await folder.old();
  const db = openDatabase(folder.dataDir);
  try {
    await rewriteOnce(db, folder.dataDir, folder.log, {
      measure: async () => ({ free: 20 * MB, size: 1024 * MB }),
    });
    assert.is(folder.said.length, 1);
    assert.match(folder.said[0]!, /takes \d+ MB of room on the disk. The next start tries again/);
    assert.ok(await folder.holds());
    await rewriteOnce(db, folder.dataDir, folder.log);
    assert.not(await folder.holds());
  } finally {
    await db.destroy();
  }
});

test('while another process reads the file the rewrite is postponed to the next start', async (folder) => {
  await folder.old();
  const [db, reader] = [openDatabase(folder.dataDir), openDatabase(folder.dataDir)];
  try {
    await db.raw('PRAGMA busy_timeout = 1');
    const reading = await reader.transaction();
    await reading('clients').first();
    await rewriteOnce(db, folder.dataDir, folder.log);
    assert.match(folder.said.at(-1)!, /another process was reading it.*The next start tries again/);
    await reading.commit();
    await rewriteOnce(db, folder.dataDir, folder.log);
    assert.match(folder.said.at(-1)!, /no longer in its file/);
    assert.not(await folder.holds());
  } finally {
    await Promise.all([db.destroy(), reader.destroy()]);
  }
});

test('a new database is not rewritten', async ({ dataDir, log, said }) => {
  const db = openDatabase(dataDir);
  await migrate(db, null, new Date());
  await rewriteOnce(db, dataDir, log);
  assert.equal(said, []);
  await db.destroy();
});

test.run();

import { copyFile, mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isUnsealed } from '../db/sqlite/page-encryption.ts';
import { readConfig } from '../config/config.ts';
import { openPlainVault, openVaultDatabase } from '../testing/vault-database.ts';
import { copyDatabase, copyPages } from './copies.ts';
import { openDatabase } from './database.ts';
import { openDataDir } from './datadir.ts';
import { findPageKey } from './page-key.ts';
import { sealFile, sealOnce } from './seal-database.ts';
import { openCopy } from './single-file.ts';
import { dropSnapshot, keptDatabases, restoreSnapshot, takeSnapshot } from './update-snapshot.ts';

interface Folder {
  dataDir: string;
  file: string;
  said: string[];
  log: Parameters<typeof openDataDir>[1];
  /** Opens the folder as a server does. */
  open(): ReturnType<typeof openDataDir>;
  /** The planted texts that are readable in a file of the folder. */
  readable(): Promise<string[]>;
}

const PLANTED = ['Zwxqvkj Traders', 'QWERP9876Z', 'zwx@qvkj.in', '2001:db8::7a1c', 'note of zwxqvkj'];
const test = suite<Folder>('a sealed database');

test.before.each(async (folder) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almirah-sealed-'));
  const said: string[] = [];
  const say = (...told: unknown[]) => void said.push(String(told.at(-1)));
  const log = Object.assign(pino({ level: 'silent' }), { info: say, warn: say, error: say });
  Object.assign(folder, { dataDir, said, log, file: join(dataDir, 'almirah.sqlite') });
  folder.open = () => openDataDir(readConfig({ DATA_DIR: dataDir }), log);
  folder.readable = async () => {
    const names = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    );
    const texts = await Promise.all(
      names.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
    );
    return PLANTED.filter((planted) => texts.some((text) => text.includes(planted)));
  };
});
test.after.each(({ dataDir }) => rm(dataDir, { recursive: true }));

const [name, pan, email, ip, notes] = PLANTED as [string, string, string, string, string];
async function plant({ db }: { db: ReturnType<typeof openDatabase> }): Promise<void> {
  await db('firms').insert({ id: 7, name, created_at: '' });
  const client = { firm_id: 7, name, client_type: 'Individual', status: 'Active', pan, email, notes };
  await db('clients').insert({ ...client, city: ip, created_at: '', updated_at: '' });
}

test('no planted text is readable in the database file, its log or its copies, while in use or after a kill', async (folder) => {
  const vault = await folder.open();
  await plant(vault);
  assert.equal(await folder.readable(), [], 'while it is used');
  await copyDatabase(vault.db, join(folder.dataDir, 'backups'), new Date());
  await copyPages(
    folder.dataDir,
    await findPageKey(readConfig({ DATA_DIR: folder.dataDir })),
    join(folder.dataDir, 'copy'),
  );
  await mkdir(join(folder.dataDir, 'killed'));
  for (const end of ['', '-wal'])
    await copyFile(`${folder.file}${end}`, join(folder.dataDir, 'killed', `almirah.sqlite${end}`));
  assert.equal(await folder.readable(), [], 'as a kill leaves it');
  await vault.db('clients').delete();
  await vault.close();
  assert.equal(await folder.readable(), [], 'after what was in it was deleted');
  assert.not(isUnsealed(folder.file));
});

test('a sealed database cannot be opened with another master key, and the error says what to do', async (folder) => {
  await (await folder.open()).close();
  const key = '7'.repeat(64);
  const db = openDatabase(folder.dataDir, { key });
  await db('firms')
    .first()
    .then(
      () => assert.unreachable(),
      (error: Error) =>
        assert.match(error.message, /sealed with another master key, or damaged\. Give the right key/),
    )
    .finally(() => db.destroy());
});

test('the database of an older version and its copies are sealed once, at the first start, without losing data', async (folder) => {
  const old = await openPlainVault(folder.dataDir);
  await plant(old);
  await copyDatabase(old.db, join(folder.dataDir, 'backups'), new Date());
  await old.close();
  assert.is((await folder.readable()).length, PLANTED.length);
  const vault = await folder.open();
  assert.equal(await folder.readable(), []);
  assert.equal(await vault.db('clients').pluck('pan'), [pan]);
  assert.equal(await vault.db.raw('PRAGMA journal_mode'), [{ journal_mode: 'wal' }]);
  await vault.close();
  assert.is(folder.said.filter((line) => line.startsWith('Sealing ')).length, 2);
  folder.said.length = 0;
  await (await folder.open()).close();
  assert.equal(folder.said, []);
});

test('the unsealed database that a reverted update has left is sealed as well, since it holds the same clients', async (folder) => {
  const old = await openPlainVault(folder.dataDir);
  await plant(old);
  await takeSnapshot(folder.dataDir, undefined);
  await old.db('clients').update({ city: 'Nagpur' });
  await old.close();
  await restoreSnapshot(folder.dataDir, { keep: true });
  await dropSnapshot(folder.dataDir);
  await (await folder.open()).close();
  assert.equal(await folder.readable(), []);
  const [kept] = await keptDatabases(folder.dataDir);
  const copy = openCopy(kept!, await findPageKey(readConfig({ DATA_DIR: folder.dataDir })));
  assert.equal(await copy('clients').pluck('city'), ['Nagpur']);
  await copy.destroy();
});

test('without enough free space, or while somebody reads it, a database stays unsealed until the next start', async (folder) => {
  const old = await openPlainVault(folder.dataDir);
  await plant(old);
  const key = (await findPageKey(readConfig({ DATA_DIR: folder.dataDir })))!;
  await sealOnce(folder.dataDir, key, folder.log, { measure: async () => ({ free: 1, size: 2 }) });
  assert.match(folder.said.at(-1)!, /takes \d+ MB of room on the disk\. The next start tries again/);
  const reading = await old.db.transaction();
  await reading('clients').first();
  await old.db.client.readers?.destroy();
  await sealOnce(folder.dataDir, key, folder.log);
  assert.match(folder.said.at(-1)!, /another process was reading it/);
  assert.ok(isUnsealed(folder.file));
  await reading.rollback();
  await old.close();
  await sealOnce(folder.dataDir, key, folder.log);
  assert.not(isUnsealed(folder.file));
});

test('a database sealed with a new key cannot be opened with the old one', async (folder) => {
  const vault = await folder.open();
  await plant(vault);
  await vault.close();
  const old = (await findPageKey(readConfig({ DATA_DIR: folder.dataDir })))!;
  const fresh = 'ab'.repeat(32);
  await sealFile(folder.file, old, fresh);
  const db = openCopy(folder.file, fresh);
  assert.equal(await db('clients').pluck('name'), [name]);
  await db.destroy();
  const closed = await openVaultDatabase(folder.dataDir);
  await closed('clients')
    .first()
    .then(
      () => assert.unreachable(),
      () => {},
    )
    .finally(() => closed.destroy());
});

test('a database is copied page by page while it is written, and unchanged pages have the same bytes in the next copy', async (folder) => {
  const vault = await folder.open();
  await plant(vault);
  const key = (await findPageKey(readConfig({ DATA_DIR: folder.dataDir })))!;
  const [first, second] = ['first', 'second'].map((one) => join(folder.dataDir, one)) as [string, string];
  await copyPages(folder.dataDir, key, first);
  await vault.db('clients').update({ city: 'Pune' });
  await copyPages(folder.dataDir, key, second);
  const [before, after] = [await readFile(first), await readFile(second)];
  const pages = before.length / 4096;
  const same = Array.from({ length: pages }, (_, n) => n * 4096).filter((offset) =>
    before.subarray(offset, offset + 4096).equals(after.subarray(offset, offset + 4096)),
  );
  assert.ok(same.length > pages * 0.9, `${same.length} of ${pages} pages are the same`);
  const copy = openCopy(second, key);
  assert.equal(await copy('clients').pluck('city'), ['Pune']);
  const writing = await vault.db.transaction();
  await writing('clients').update({ city: 'Surat' });
  const copying = copyPages(folder.dataDir, key, join(folder.dataDir, 'third'));
  // Longer than the busy timeout of a connection.
  await wait(1500);
  await writing.commit();
  await copying;
  const third = openCopy(join(folder.dataDir, 'third'), key);
  assert.equal(
    await third('clients').pluck('city'),
    ['Surat'],
    'who writes for long delays it, and does not stop it',
  );
  await third.destroy();
  await copy.destroy();
  await vault.close();
});

test.run();

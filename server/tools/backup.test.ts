import { randomBytes } from 'node:crypto';
import {
  appendFile,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../config/config.ts';
import { openVaultDatabase } from '../testing/vault-database.ts';
import { wordsOf } from '../backups/recovery/words.ts';
import { backup } from './backup.ts';
import { openAlongside } from './open-alongside.ts';
import type { Office } from '../testing/command-office.ts';
import { eachOffice, objectOf, refused, run } from '../testing/command-office.ts';
import { restore } from './restore.ts';
import { sweep } from './sweep.ts';
import { verify } from './verify.ts';

const test = suite<Office>('backup, restore, verify, sweep');

eachOffice(test);

test('everything saved before a backup began is restored, although files are written and deleted meanwhile', async (office) => {
  const { services, build, actor, dataDir, scratch } = office;
  const saved = new Map<number, Buffer>();
  const stop = new AbortController();
  let n = 0;
  const writer = async () => {
    while (!stop.signal.aborted) {
      const content = randomBytes(3000);
      const { id } = await build.file(actor, { name: `${(n += 1)}.pdf`, content });
      saved.set(id, content);
      if (n % 3 !== 0) continue;
      const [first] = saved.keys();
      saved.delete(first!);
      await services.documents.remove(actor, [first!]);
      await services.sweeper.drain();
    }
  };
  const writers = [writer(), writer()];
  const target = join(scratch, 'backup');
  const check = async (round: number) => {
    const known = new Map(saved);
    const { sound } = await run(backup, dataDir, [target], { 'with-key': true });
    assert.ok(sound);
    // Files deleted while the backup was made may be in it or not.
    const kept = [...known].filter(([id]) => saved.has(id));
    const restored = join(scratch, `restored-${round}`);
    const outcome = await run(restore, dataDir, [target, restored], { 'read-data': true });
    assert.ok(outcome.sound, outcome.said);
    const vault = await openAlongside(readConfig({ DATA_DIR: restored }));
    for (const [id, content] of kept) {
      const row = await vault.db('items').where({ id }).first('blob_id');
      assert.ok(row, `item ${id} was saved before round ${round}`);
      assert.ok((await buffer(await vault.blobs.get(row.blob_id))).equals(content));
    }
    await vault.close();
    await rm(restored, { recursive: true });
  };
  try {
    for (let round = 0; round < 5; round += 1) await check(round);
  } finally {
    stop.abort();
    await Promise.all(writers);
  }
});

test('a backup of an older version is migrated when it is restored', async (office) => {
  const { build, actor, dataDir, scratch } = office;
  const target = join(scratch, 'backup');
  await build.file(actor);
  const unguarded = await openVaultDatabase(dataDir, { guarded: false });
  await unguarded.migrate.down();
  await unguarded.destroy();
  await run(backup, dataDir, [target], { 'with-key': true });
  await refused(verify, dataDir, [], /of another version/);
  const { sound, said } = await run(restore, dataDir, [target, join(scratch, 'restored')]);
  assert.ok(sound, said);
});

test('a database that is newer than this program is refused, and not left to a start, which would refuse it too', async (office) => {
  const { db, dataDir, scratch } = office;
  await db('knex_migrations').insert({ name: '20991231000000_of_tomorrow.ts', batch: 9, migration_time: 0 });
  await refused(backup, dataDir, [join(scratch, 'backup')], /made by a newer Almirah .*of_tomorrow/);
  await refused(verify, dataDir, [], /made by a newer Almirah .*Start that version/);
});

test('a file uploaded in parts is restored with all of them', async (office) => {
  const { services, actor, scratch, dataDir } = office;
  const content = randomBytes(3000);
  const wish = { id: 'upload', name: 'Ledger.pdf', size: content.length, fields: {} };
  await services.resumable.begin(actor, wish);
  for (const at of [0, 1000, 2000]) {
    const part = (async function* () {
      yield content.subarray(at, at + 1000);
    })();
    await services.resumable.append(actor, 'upload', at, part);
  }
  const { item } = (await services.resumable.settle(actor, 'upload'))!;
  assert.ok((await run(backup, dataDir, [join(scratch, 'backup')], { 'with-key': true })).sound);
  const restored = join(scratch, 'restored');
  const { sound, said } = await run(restore, dataDir, [join(scratch, 'backup'), restored], {
    'read-data': true,
  });
  assert.ok(sound, said);
  const vault = await openAlongside(readConfig({ DATA_DIR: restored }));
  const { blob_id } = await vault.db('items').where({ id: item.id }).first('blob_id');
  assert.ok((await buffer(await vault.blobs.get(blob_id))).equals(content));
  const [part] = await vault.db('blob_parts').pluck('part_id');
  await vault.blobs.delete(part);
  await vault.close();
  assert.match((await run(verify, restored)).said, /Ledger\.pdf.*damaged/);
});

test('the master key is included in a backup only on request, with owner-only permissions', async ({
  dataDir,
  scratch,
}) => {
  const [plain, withKey] = [join(scratch, 'plain'), join(scratch, 'with-key')];
  assert.match((await run(backup, dataDir, [plain])).said, /It holds 1 snapshot, .*master key is not in it/s);
  assert.not((await readdir(plain)).includes('master.key'));
  await run(backup, dataDir, [withKey], { 'with-key': true });
  assert.is((await stat(join(withKey, 'master.key'))).mode & 0o777, 0o600);
  await refused(restore, dataDir, [plain, join(scratch, 'to')], /made without the master key/);
  const key = join(dataDir, 'master.key');
  assert.ok((await run(restore, dataDir, [plain, join(scratch, 'to')], { key })).sound);
});

test('a backup without the key is restored by the words of the recovery sheet, and a wrong word is named', async ({
  dataDir,
  scratch,
}) => {
  const [from, to, sheet] = ['without', 'by-sheet', 'words.txt'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  await run(backup, dataDir, [from]);
  const words = wordsOf(Buffer.from((await readFile(join(dataDir, 'master.key'), 'utf8')).trim(), 'hex'));
  await writeFile(sheet, words.with(3, words[3] === 'zoo' ? 'zone' : 'zoo').join(' '));
  await refused(restore, dataDir, [from, to], /Word 4 is wrong/, { sheet });
  await writeFile(sheet, words.join(' '));
  assert.ok((await run(restore, dataDir, [from, to], { sheet })).sound);
});

test('a backup that is incomplete, damaged, of another key, or no backup is refused with the reason', async (office) => {
  const { build, actor, dataDir, scratch } = office;
  await build.file(actor);
  const target = join(scratch, 'backup');
  const to = join(scratch, 'to');
  await run(backup, dataDir, [target], { 'with-key': true });
  const [name] = await readdir(join(target, 'snapshots'));
  const snapshot = join(target, 'snapshots', name!);
  const manifest = join(snapshot, 'manifest.json');
  const whole = await readFile(manifest);

  await refused(restore, dataDir, [dataDir, to], /is not a backup/);
  await rename(snapshot, `${snapshot}.new`);
  await refused(restore, dataDir, [target, to], /cut off before it was whole/);
  await rename(`${snapshot}.new`, snapshot);
  await unlink(manifest);
  await refused(restore, dataDir, [target, to], /manifest.json .* is missing/);
  await writeFile(manifest, whole.subarray(0, 50));
  await refused(restore, dataDir, [target, to], /manifest.json .* is damaged/);
  await writeFile(manifest, whole);

  const other = join(scratch, 'other.key');
  await writeFile(other, randomBytes(32));
  await refused(restore, dataDir, [target, to], /not the one that the backup is sealed with/, { key: other });
  await writeFile(other, 'short');
  await refused(restore, dataDir, [target, to], /does not hold a master key/, { key: other });

  await refused(restore, dataDir, [target, dataDir], /is not empty/);
  const database = join(snapshot, 'almirah.sqlite');
  const { size } = await stat(database);
  await truncate(database, size - 4096);
  await refused(restore, dataDir, [target, to], /almirah.sqlite .* is damaged/);
  await unlink(database);
  await refused(restore, dataDir, [target, to], /almirah.sqlite .* is missing/);
  assert.not((await readdir(scratch)).includes('to'), 'nothing was written');
});

test('a backup that lost a file is restored as far as possible, and names the file', async (office) => {
  const { build, actor, dataDir, scratch } = office;
  const { id } = await build.file(actor, { name: 'deed.pdf', content: randomBytes(5000) });
  await build.file(actor, { name: 'other.pdf' });
  const target = join(scratch, 'backup');
  await run(backup, dataDir, [target], { 'with-key': true });
  const object = (await objectOf(office, id)).replace(dataDir, target);
  await truncate(object, 3000);
  const cut = await run(restore, dataDir, [target, join(scratch, 'a')]);
  assert.not(cut.sound);
  assert.match(cut.said, /WRONG: "deed.pdf" .* is damaged.*It was left out/);
  assert.match(cut.said, /1 fault found\.\nRestored, but not whole: .* All else can be used: start .*--at/);
  await unlink(object);
  const lost = await run(restore, dataDir, [target, join(scratch, 'b')]);
  assert.not(lost.sound);
  assert.match(lost.said, /WRONG: "deed.pdf" .* is missing/);
});

test('a backup is written neither into a folder with other files nor into the backup of another vault', async (office) => {
  const { dataDir, scratch } = office;
  await writeFile(join(scratch, 'mine.txt'), 'x');
  await refused(backup, dataDir, [scratch], /holds other things/);
  const target = join(scratch, 'backup');
  await run(backup, dataDir, [target]);
  await writeFile(join(target, 'master.check'), 'of another vault');
  await refused(backup, dataDir, [target], /another master key/);
  await refused(backup, join(scratch, 'nowhere'), [target], /holds no almirah.sqlite/);
});

test('verify reports missing and damaged files, wrong totals and items missing from the search index', async (office) => {
  const { build, actor, dataDir, db } = office;
  const gone = await build.file(actor, { name: 'gone.pdf' });
  const bent = await build.file(actor, { name: 'bent.pdf', content: randomBytes(5000) });
  const clean = await run(verify, dataDir, [], { 'read-data': true });
  assert.ok(clean.sound, clean.said);
  await unlink(await objectOf(office, gone.id));
  const object = await objectOf(office, bent.id);
  const bytes = await readFile(object);
  bytes[3000]! ^= 1;
  await writeFile(object, bytes);
  await db('firm_usage').update({ bytes: 1 });
  await db.raw('DELETE FROM item_search WHERE rowid = ?', [bent.id]);
  const quick = await run(verify, dataDir);
  assert.not(quick.sound);
  assert.match(quick.said, /"gone.pdf" .* missing/);
  assert.match(quick.said, /totals of firm/);
  assert.match(quick.said, /1 items are not in the search index/);
  assert.not.match(quick.said, /bent/, 'a flipped bit shows only when the data is read');
  const full = await run(verify, dataDir, [], { 'read-data': true });
  assert.match(full.said, /"bent.pdf" .* is damaged/);
  await appendFile(object, 'x');
  assert.match((await run(verify, dataDir)).said, /"bent.pdf" .* is damaged/);
});

test('wrong running totals are found, and repaired on request', async (office) => {
  const { build, actor, dataDir, db, services } = office;
  await build.file(actor, { name: 'a.pdf', content: 'twelve bytes' });
  await build.client(actor, 'Sharma', { client_type: 'Company' });
  const figures = async () => [
    await services.dashboard.stats(actor),
    (await services.clients.list(actor)).totals,
  ];
  const right = await figures();
  await db('client_totals').delete();
  await db('scope_usage').delete();
  await db('firm_usage').update({ files: 5, bytes: 1 });
  const found = await run(verify, dataDir);
  assert.not(found.sound);
  assert.match(found.said, /totals of firm 1 for pdf: off by 4 files, -11 bytes\. .*verify --mend-totals/);
  assert.match(found.said, /totals of firm 1 for clients \(Company, Active\): off by -1/);
  assert.match(found.said, /totals of what belongs to each client: wrong for 1, first of all client 0/);
  const mended = await run(verify, dataDir, [], { 'mend-totals': true });
  assert.ok(mended.sound, mended.said);
  assert.match(mended.said, /Mending the totals of firm 1 for pdf/);
  assert.equal(await figures(), right);
});

test('the sweep command deletes the same contents of deleted files as the server would', async (office) => {
  const { build, actor, services, dataDir } = office;
  const { id } = await build.file(actor);
  await services.documents.remove(actor, [id]);
  assert.match((await run(sweep, dataDir, [], { 'dry-run': true })).said, /bytes of 1 deleted/);
  assert.match((await run(sweep, dataDir)).said, /bytes of 1 deleted/);
  assert.match((await run(sweep, dataDir)).said, /bytes of 0 deleted/);
  await refused(sweep, dataDir, [], /number/, { hours: 'x' });
});

test.run();

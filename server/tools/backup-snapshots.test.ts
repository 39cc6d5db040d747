import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openVaultDatabase } from '../testing/vault-database.ts';
import { backup } from './backup.ts';
import type { Office } from '../testing/command-office.ts';
import { eachOffice, objectOf, refused, run } from '../testing/command-office.ts';
import { restore } from './restore.ts';

const test = suite<Office>('snapshots of a backup');
eachOffice(test);

/** As a backup of the given day would have left its only snapshot. */
async function dated(target: string, name: string): Promise<void> {
  const [made] = (await readdir(join(target, 'snapshots'))).toSorted().slice(-1);
  await rename(join(target, 'snapshots', made!), join(target, 'snapshots', name));
}

async function blobsIn(folder: string): Promise<number> {
  const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

async function namesIn(dataDir: string): Promise<string[]> {
  const db = await openVaultDatabase(dataDir);
  const names: string[] = await db('items').orderBy('name').pluck('name');
  await db.destroy();
  return names;
}

test('a deleted file is restored from an earlier snapshot, although later backups used the same folder', async (office) => {
  const { build, actor, services, dataDir, scratch } = office;
  const target = join(scratch, 'backup');
  const first = await build.file(actor, { name: 'a.txt', content: 'of the first night' });
  await build.file(actor, { name: 'b.txt' });
  await run(backup, dataDir, [target], { 'with-key': true });
  await dated(target, '2026-10-01T02-00-00Z');
  await services.documents.remove(actor, [first.id]);
  await services.sweeper.drain();
  await build.file(actor, { name: 'c.txt', content: 'twelve bytes' });
  const second = await run(backup, dataDir, [target], { 'with-key': true });
  assert.match(
    second.said,
    /^2 files .*; 188 B of them were copied now\.\nIt holds 2 snapshots/,
    'only what is new',
  );
  assert.is(await blobsIn(target), 3);

  const [newest, earlier] = [join(scratch, 'newest'), join(scratch, 'earlier')];
  assert.ok((await run(restore, dataDir, [target, newest], { 'read-data': true })).sound);
  assert.equal(await namesIn(newest), ['b.txt', 'c.txt']);
  const back = await run(restore, dataDir, [target, earlier], { 'read-data': true, at: '2026-10-01' });
  assert.ok(back.sound, back.said);
  assert.match(back.said, /snapshot 2026-10-01T02-00-00Z/);
  assert.equal(await namesIn(earlier), ['a.txt', 'b.txt']);
  const to = join(scratch, 'to');
  await refused(restore, dataDir, [target, to], /as old as that.*\n {2}2026-10-01T02-00-00Z/s, {
    at: '2026-09-30',
  });
  await refused(restore, dataDir, [target, to], /is no date/, { at: 'yesterday' });

  await dated(target, '2099-01-01T02-00-00Z');
  await refused(restore, dataDir, [target, to], /dated later than now.*\n {2}2099-01-01T02-00-00Z/s);
  assert.ok((await run(restore, dataDir, [target, to], { at: '2099-01-01' })).sound, 'an admin may say so');
});

test('an expired snapshot is deleted together with the file contents that no other snapshot refers to', async (office) => {
  const { build, actor, services, dataDir, scratch } = office;
  const target = join(scratch, 'backup');
  const first = await build.file(actor, { name: 'a.txt' });
  const kept = await build.file(actor, { name: 'b.txt' });
  await run(backup, dataDir, [target]);
  await dated(target, '2026-10-01T02-00-00Z');
  await services.documents.remove(actor, [first.id]);
  await run(backup, dataDir, [target]);
  await dated(target, '2026-10-01T09-00-00Z');
  await services.documents.remove(actor, [kept.id]);
  await services.sweeper.drain();
  await run(backup, dataDir, [target]);
  const names = await readdir(join(target, 'snapshots'));
  assert.is(names.length, 2, 'of one day the newest is kept');
  assert.ok(names.includes('2026-10-01T09-00-00Z'));
  assert.is(await blobsIn(target), 1);
});

test('a backup of the old format is restored, and becomes the first snapshot of the next backup', async (office) => {
  const { build, actor, services, dataDir, scratch } = office;
  const target = join(scratch, 'backup');
  const { id } = await build.file(actor, { name: 'a.txt' });
  await run(backup, dataDir, [target], { 'with-key': true });
  const name = '2026-10-01T02-00-00Z';
  await dated(target, name);
  const manifest = join(target, 'snapshots', name, 'manifest.json');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace(/"made_at": "[^"]+"/, '"made_at": "2026-10-01T02:00:00.123Z"'));
  for (const file of ['almirah.sqlite', 'manifest.json'])
    await rename(join(target, 'snapshots', name, file), join(target, file));
  await rm(join(target, 'snapshots'), { recursive: true });
  await rename(join(target, 'READ ME FIRST.txt'), join(target, 'READ ME.txt'));
  await writeFile(join(target, 'almirah.sqlite.new'), 'of a backup that was killed');

  assert.ok((await run(restore, dataDir, [target, join(scratch, 'one')])).sound);
  await services.documents.remove(actor, [id]);
  await services.sweeper.drain();
  assert.ok((await run(backup, dataDir, [target], { 'with-key': true })).sound);
  assert.equal((await readdir(target)).toSorted(), [
    'READ ME FIRST.txt',
    'blobs',
    'master.check',
    'master.key',
    'snapshots',
  ]);
  assert.equal((await readdir(join(target, 'snapshots'))).toSorted()[0], name);
  const again = await run(restore, dataDir, [target, join(scratch, 'two')], { at: name });
  assert.ok(again.sound, again.said);
  assert.equal(await namesIn(join(scratch, 'two')), ['a.txt']);
});

test('a damaged file is named and left out of a backup, the others are copied, and an intact earlier copy stays', async (office) => {
  const { build, actor, dataDir, scratch } = office;
  const target = join(scratch, 'backup');
  const early = await build.file(actor, { name: 'early.pdf', content: randomBytes(5000) });
  await run(backup, dataDir, [target], { 'with-key': true });
  const late = await build.file(actor, { name: 'late.pdf', content: randomBytes(5000) });
  const other = await build.file(actor, { name: 'other.pdf', content: randomBytes(5000) });
  const bent = await build.file(actor, { name: 'bent.pdf', content: randomBytes(5000) });
  await truncate(await objectOf(office, early.id), 3000);
  const [object, content] = [await objectOf(office, late.id), await objectOf(office, bent.id)];
  for (const [path, at] of [
    [object, 20],
    [content, 3000],
  ] as const) {
    const bytes = await readFile(path);
    bytes[at]! ^= 1;
    await writeFile(path, bytes);
  }
  const read = await run(backup, dataDir, [target], { 'with-key': true, 'read-data': true });
  assert.not(read.sound);
  assert.match(
    read.said,
    /WRONG: "early.pdf" \(item \d+\): Blob .* bytes are missing\. The good copy .* stays/,
  );
  assert.match(read.said, /WRONG: "late.pdf" .* header is altered .* It is not in the backup/);
  assert.match(read.said, /WRONG: "bent.pdf" .* chunk 0 of 1 is altered/);
  assert.not.match(read.said, /other\.pdf/);
  const restored = join(scratch, 'restored');
  const { said } = await run(restore, dataDir, [target, restored], { 'read-data': true });
  assert.match(said, /WRONG: "late.pdf"/);
  assert.not.match(said, /early\.pdf|other\.pdf/);
  const quick = await run(backup, dataDir, [target], { 'with-key': true });
  assert.match(quick.said, /"bent.pdf" .* altered/, 'what is copied is checked as it is read');

  const there = content.replace(dataDir, target);
  const good = await readFile(content);
  good[3000]! ^= 1;
  await writeFile(content, good);
  await run(backup, dataDir, [target], { 'with-key': true });
  const spoilt = Buffer.from(good);
  spoilt[3000]! ^= 1;
  await writeFile(there, spoilt);
  await unlink(content);
  const lost = await run(backup, dataDir, [target], { 'with-key': true });
  assert.match(
    lost.said,
    /WRONG: "bent.pdf" .* It is not in the backup/,
    'a damaged copy is not called good',
  );
  await writeFile(content, good);
  const mended = await run(backup, dataDir, [target], { 'with-key': true, 'read-data': true });
  assert.not.match(mended.said, /bent/);
  assert.ok((await readFile(there)).equals(good), 'a damaged copy in the backup is replaced by a good one');
  assert.ok((await stat((await objectOf(office, other.id)).replace(dataDir, target))).isFile());
});

test('without the right master key no backup is made, since the list of files cannot be read', async (office) => {
  const { build, actor, dataDir, scratch } = office;
  await build.file(actor);
  const key = join(dataDir, 'master.key');
  await rename(key, join(scratch, 'key'));
  await refused(
    backup,
    dataDir,
    [join(scratch, 'backup')],
    /is sealed, .* takes the master key\. Set MASTER_KEY/,
  );
  await writeFile(key, randomBytes(32));
  await refused(backup, dataDir, [join(scratch, 'backup')], /not the one that .* was sealed with/);
});

test.run();

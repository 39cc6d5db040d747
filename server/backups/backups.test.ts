import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PASSWORD } from '../testing/build.ts';
import { smallDisk } from '../testing/small-disk.ts';
import { rejects } from '../testing/rejects.ts';
import { readBlobList, readSnapshots } from './repository/manifest.ts';
import { openDiskPlace } from './repository/disk-place.ts';
import type { NightlyWorld } from './testing/nightly.ts';
import { nightlyWorld } from './testing/nightly.ts';

const test = suite<NightlyWorld>('nightly backups');
const HOUR = 60 * 60_000;
const { signal } = new AbortController();

test.before.each(async (world) => {
  Object.assign(world, await nightlyWorld());
});
test.after.each((world) => world.end());

test('a missed nightly backup is due at the next start, and each night only once', async ({ work, at }) => {
  assert.ok(await work.backupDue(), 'there is no backup yet');
  assert.is((await work.backup(signal)).status, 'done');
  assert.not(await work.backupDue());
  at('2026-11-22T19:59:00Z');
  assert.not(await work.backupDue(), '01:29 in India');
  at('2026-11-22T20:01:00Z');
  assert.ok(await work.backupDue(), '01:31 in India');
  await work.backup(signal);
  assert.not(await work.backupDue());
  at('2026-11-27T06:00:00Z');
  assert.ok(await work.backupDue(), 'the machine was off over the weekend');
});

test('after a clock that was years ahead is corrected, backups are made every night and none is deleted early', async ({
  work,
  at,
  place,
  services,
  admin,
}) => {
  await work.backup(signal);
  at('2031-01-01T12:00:00Z');
  await work.backup(signal);
  at('2026-11-22T12:05:00Z');
  await work.backup(signal);
  at('2026-11-23T12:00:00Z');
  assert.ok(await work.backupDue());
  const { moment } = await work.backup(signal);
  const { snapshots } = await readSnapshots(await openDiskPlace(place));
  const moments = snapshots.map(({ moment: name }) => name.slice(0, 10));
  assert.equal(moments, ['2026-11-22', '2026-11-23', '2031-01-01'], 'two days, and the one ahead');
  const { alarm } = await services.backups.view(admin);
  assert.match(alarm!.message, /The backup 2031-01-01T12-00-00Z is dated later/);
  assert.is((await work.try(signal)).moment, moment, 'what is tried is what was backed up last');
});

test('several backups within one second are no sign of a wrong clock, although the oldest of them is deleted', async ({
  work,
  place,
}) => {
  for (let n = 1; n <= 4; n += 1) {
    const { status, faults } = await work.backup(signal);
    assert.equal([status, faults], ['done', []], `backup ${n}`);
  }
  assert.is((await readSnapshots(await openDiskPlace(place))).snapshots.length, 1);
});

test('a blob is deleted once no backup refers to it any more', async ({
  work,
  at,
  place,
  build,
  admin,
  services,
}) => {
  const doomed = await build.file(admin, { content: randomBytes(2000) });
  await work.backup(signal);
  await services.documents.remove(admin, [doomed.id]);
  await services.sweeper.drain();
  const blobCount = async () => {
    const found: string[] = [];
    for await (const { key } of (await openDiskPlace(place)).list('blobs/')) found.push(key);
    return found.length;
  };
  at('2026-11-23T12:00:00Z');
  await work.backup(signal);
  assert.is(await blobCount(), 1, 'the backup of the day before refers to it');
  at('2026-11-24T12:00:00Z');
  await work.backup(signal);
  assert.is(await blobCount(), 0, 'two days are kept here');
});

test('files deleted forever while a backup runs are complete in it', async ({
  work,
  place,
  build,
  admin,
  services,
}) => {
  const items = [];
  for (let n = 0; n < 12; n += 1) items.push(await build.file(admin, { content: randomBytes(200_000) }));
  const backup = work.backup(signal);
  await services.documents.remove(
    admin,
    items.map(({ id }) => id),
  );
  await services.sweeper.drain();
  const { status } = await backup;
  const opened = await openDiskPlace(place);
  const [snapshot] = (await readSnapshots(opened)).snapshots;
  const list = (await readBlobList(opened, snapshot!))!;
  assert.is(status, 'done', 'no file of it was missing');
  assert.is(list.count, snapshot!.manifest.files.files);
});

test('all bytes of a backup are read back within ten nights, a tenth each night', async ({
  work,
  at,
  build,
  admin,
  place,
}) => {
  for (let n = 0; n < 30; n += 1) await build.file(admin, { content: randomBytes(100) });
  await work.backup(signal);
  const { snapshots } = await readSnapshots(await openDiskPlace(place));
  assert.ok(await work.proofDue());
  let bytes = 0;
  for (let night = 0; night < 10; night += 1) {
    at(new Date(Date.parse('2026-11-22T13:00:00Z') + night * HOUR).toISOString());
    const proof = await work.prove(signal);
    assert.is(proof.tenth, night);
    bytes += proof.bytes;
  }
  assert.is(bytes, snapshots[0]!.manifest.blobs.bytes);
  assert.not(await work.proofDue(), 'until the next backup');
});

/** Replaces a file of the place by one that opens, but whose bytes cannot be read, like those of a bad sector. */
async function breakSector(path: string): Promise<void> {
  await rm(path);
  await symlink('/proc/self/mem', path);
}

test('a bad sector of the disk of the backups is the damage of one file, which is repaired from the vault or told', async ({
  work,
  build,
  admin,
  place,
  services,
}) => {
  for (let n = 0; n < 3; n += 1) await build.file(admin, { content: randomBytes(100) });
  await work.backup(signal);
  const opened = await openDiskPlace(place);
  const keys: string[] = [];
  for await (const { key } of opened.list('')) keys.push(key);
  const blob = keys.find((key) => key.startsWith('blobs/'))!;
  await breakSector(join(place, blob));
  const proof = await work.prove(signal, { all: true });
  assert.equal([proof.status, proof.mended, proof.faults], ['done', 1, []]);

  const piece = keys.find((key) => key.startsWith('pieces/') || key.startsWith('database/'))!;
  await breakSector(join(place, piece));
  const trial = await work.try(signal);
  assert.is(trial.status, 'faulty');
  assert.match(trial.faults[0]!, 'cannot be read from its disk');
  assert.match(trial.message, 'could not be opened');
  assert.is((await services.backups.notice(admin))?.alarm?.code, 'damaged');
});

test('the admins are told when the backups could not be checked for days, although each night makes one', async ({
  work,
  at,
  services,
  admin,
  db,
}) => {
  await work.backup(signal);
  await work.prove(signal);
  const [run] = await db('backup_runs').where({ kind: 'proof' });
  const failed = { ...run, status: 'failed', message: 'The disk broke off.', faults: '[]' };
  for (const [index, day] of ['23', '24', '26'].entries()) {
    const time = `2026-11-${day}T12:00:00.000Z`;
    await db('backup_runs').insert({
      ...failed,
      id: run.id + 1 + index,
      started_at: time,
      finished_at: time,
    });
  }
  at('2026-11-26T11:00:00Z');
  await work.backup(signal);
  assert.is((await services.backups.notice(admin))?.alarm ?? null, null, 'a share may be away for a night');
  at('2026-11-26T12:30:00Z');
  const { alarm } = (await services.backups.notice(admin))!;
  assert.equal([alarm!.code, alarm!.message], ['unchecked', 'The disk broke off.']);
});

test('damage that was found stays an alarm while the place is away, although the tries then fail many times', async ({
  services,
  admin,
  db,
  config,
}) => {
  const run = { place: config.backups!.place, started_at: '2026-11-22T11:00:00.000Z' };
  for (const kind of ['backup', 'proof', 'trial']) {
    await db('backup_runs').insert({
      ...run,
      kind,
      status: 'faulty',
      faults: `["The ${kind} found damage."]`,
    });
    for (let n = 0; n < 40; n += 1) await db('backup_runs').insert({ ...run, kind, status: 'failed' });
    const { alarm } = (await services.backups.notice(admin))!;
    assert.equal([alarm?.code, alarm?.message], ['damaged', `The ${kind} found damage.`]);
    await db('backup_runs').insert({ ...run, kind, status: 'done' });
  }
  assert.is((await services.backups.notice(admin))!.alarm, null);
});

test('nothing is written below the mount point of a share that has been away for weeks, although all tries since have failed', async ({
  work,
  db,
  place,
}) => {
  const { started_at } = await work.backup(signal);
  await rename(place, `${place}.away`);
  await mkdir(place);
  const failed = { kind: 'backup', place, status: 'failed', started_at };
  for (let n = 0; n < 410; n += 1) await db('backup_runs').insert(failed);
  const { status, message } = await work.backup(signal);
  assert.equal([status, await readdir(place)], ['failed', []]);
  assert.match(message, 'are not there. Is the disk connected, the share mounted?');
  const [count] = await db('backup_runs').where({ status: 'failed' }).count({ n: '*' });
  assert.is(count!.n, 400, 'the oldest are deleted');
});

test('if the last backup is 26 hours old, the admins of the installation see an alarm and get an e-mail', async ({
  work,
  at,
  services,
  admin,
  build,
  place,
  db,
}) => {
  await work.backup(signal);
  await rename(place, `${place}.away`);
  at('2026-11-23T13:00:00Z');
  const failed = await work.backup(signal);
  assert.match(failed.message, /is not there\. Connect the disk or mount the share/);
  assert.is((await services.backups.notice(admin))?.alarm, null, 'not yet');
  at('2026-11-23T14:01:00Z');
  const { alarm } = (await services.backups.notice(admin))!;
  assert.is(alarm!.code, 'late');
  assert.match(alarm!.message, /The last backup is of Nov 22, 2026, 5:30 PM IST.*is not there/);
  assert.is(await services.system.sendAlarms(), 1);
  assert.is((await db('jobs').where({ kind: 'letter', subject: 'system.alarm' })).length, 1);
  const other = (await build.account({ email: 'other@firm.in' })).actor;
  assert.is(await services.backups.notice(other), null, 'another firm sees no alarm');
  await rejects(services.backups.view(other), 404);
  const password = { current_password: PASSWORD };
  await rejects(services.backups.saveSheet(admin, password), 403);
  await services.system.admins.add((await services.auth.viewer(admin)).email);
  await services.backups.saveSheet(admin, password);
  await rename(`${place}.away`, place);
  await work.backup(signal);
  assert.is(await services.backups.notice(admin), null);
});

test('a share unmounted during a backup fails it, and nothing is written to the empty mount point', async ({
  work,
  place,
  scratch,
  build,
  admin,
}) => {
  await build.file(admin, { content: randomBytes(1000) });
  await work.backup(signal);
  await rename(place, join(scratch, 'share'));
  await symlink(join(scratch, 'share'), place);
  for (let n = 0; n < 40; n += 1) await build.file(admin, { content: randomBytes(100_000) });
  const backup = work.backup(signal);
  await unlink(place);
  await mkdir(place);
  const outcome = await backup;
  assert.is(outcome.status, 'failed');
  assert.match(outcome.message, /no longer what it was|are not there|is not there/);
  const left: string[] = [];
  for await (const { key } of (await openDiskPlace(place)).list('')) left.push(key);
  assert.equal(left, []);
  await rm(place, { recursive: true });
  await rename(join(scratch, 'share'), place);
  assert.is((await readSnapshots(await openDiskPlace(place))).snapshots.length, 1);
  assert.is((await work.backup(signal)).status, 'done');
});

test('a full disk fails the backup with instructions, and keeps the earlier ones', async ({
  work,
  place,
  build,
  admin,
}) => {
  const disk = smallDisk(6);
  if (!disk) return;
  await rm(place, { recursive: true });
  await symlink(disk.path, place);
  try {
    await build.file(admin, { content: randomBytes(1000) });
    assert.is((await work.backup(signal)).status, 'done');
    for (let n = 0; n < 4; n += 1) await build.file(admin, { content: randomBytes(2_000_000) });
    const outcome = await work.backup(signal);
    assert.is(outcome.status, 'failed');
    assert.match(outcome.message, /no space left in .* earlier backups are as they were/);
    const opened = await openDiskPlace(place);
    const { snapshots } = await readSnapshots(opened);
    assert.is(snapshots.length, 1);
    assert.is((await readBlobList(opened, snapshots[0]!))!.count, 1);
    assert.is((await work.prove(signal, { all: true })).status, 'done');
  } finally {
    await unlink(place);
    await disk.remove();
  }
});

test('a backup that failed counts among the failures until the next one is made, since its job shows only the number of things done', async ({
  work,
  services,
  admin,
  place,
}) => {
  await rename(place, `${place}.away`);
  assert.match(
    (await services.backups.view(admin)).settings!.problem!,
    /is not there: no backup can be made/,
  );
  assert.match((await services.backups.summary())!.wrong!, /is not there: no backup can be made/);
  const { backups } = await services.backups.runNow(admin);
  assert.is(backups.length, 1, 'the screen is shown what it asked for, so that it asks for the end');
  await services.backups.idle();
  assert.match((await services.backups.failures()).get('backup')!, /is not there/);
  await rename(`${place}.away`, place);
  await work.backup(signal);
  assert.is((await services.backups.failures()).size, 0);
});

test('saving the recovery sheet requires the password and is audited, and a notice asks for it until then', async ({
  services,
  admin,
}) => {
  assert.ok((await services.backups.notice(admin))!.sheet_missing);
  await rejects(services.backups.saveSheet(admin, { current_password: 'guess' }), 422);
  const pdf = await services.backups.saveSheet(admin, { current_password: PASSWORD });
  assert.is(pdf.subarray(0, 5).toString(), '%PDF-');
  assert.is(await services.backups.notice(admin), null);
  assert.ok((await services.backups.view(admin)).sheet!.saved_at);
  const { data } = await services.audit.list(admin, {});
  assert.ok(data.some(({ did }) => did === 'backups.recovery_sheet'));
});

test('the recovery sheet contains the words of the master key of the data folder', async ({
  services,
  admin,
  scratch,
}) => {
  const { wordsOf } = await import('./recovery/words.ts');
  const key = Buffer.from((await readFile(join(scratch, 'data', 'master.key'), 'utf8')).trim(), 'hex');
  const pdf = await services.backups.saveSheet(admin, { current_password: PASSWORD });
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const loading = getDocument({ data: new Uint8Array(pdf), verbosity: 0 });
  const document = await loading.promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  const text = items.map((item) => ('str' in item ? item.str : '')).join(' ');
  const words = wordsOf(key);
  for (const [index, word] of words.entries())
    assert.match(text, new RegExp(`${index + 1}\\.\\s+${word}\\b`));
  await loading.destroy();
});

test.run();

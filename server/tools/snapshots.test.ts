import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDiskBytes } from '#storage/disk.ts';
import { KEEP } from '../backups/repository/retention-rule.ts';
import { deleteExpired, retainedOf, readMoment, snapshotName } from './snapshots.ts';

const test = suite('retention of snapshots');
const DAY = 24 * 60 * 60 * 1000;
const at = (text: string) => ({ at: new Date(text) });
const names = (kept: Iterable<{ at: Date }>) =>
  [...kept].map((snapshot) => snapshotName(snapshot.at)).toSorted();

test('after years of two backups a day, the newest of 7 days, 4 weeks and 12 months remain', () => {
  const first = Date.parse('2024-01-01T02:00:00Z');
  const all = Array.from({ length: 2 * 1057 }, (_, n) => ({ at: new Date(first + (n * DAY) / 2) }));
  assert.is(all.at(-1)!.at.toISOString(), '2026-11-22T14:00:00.000Z');
  assert.equal(
    names(retainedOf(all)),
    `2025-12-31 2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31 2026-06-30
     2026-07-31 2026-08-31 2026-09-30 2026-10-31 2026-11-01 2026-11-08 2026-11-15
     2026-11-16 2026-11-17 2026-11-18 2026-11-19 2026-11-20 2026-11-21 2026-11-22`
      .split(/\s+/)
      .map((day) => `${day}T14-00-00Z`),
  );
});

test('deleting night by night keeps the same snapshots as deleting once', () => {
  const first = Date.parse('2025-01-01T02:00:00Z');
  let kept: { at: Date }[] = [];
  const all: { at: Date }[] = [];
  for (let night = 0; night < 690; night += 1) {
    const snapshot = { at: new Date(first + night * DAY) };
    all.push(snapshot);
    kept = [...retainedOf([...kept, snapshot])];
  }
  assert.equal(names(kept), names(retainedOf(all)));
});

test('a pause of months deletes nothing: periods without a backup do not count', () => {
  const all = Array.from({ length: KEEP.days }, (_, n) => at(`2026-01-0${n + 1}T02:00:00Z`));
  assert.is(retainedOf(all).size, KEEP.days);
  // The new snapshot replaces one.
  assert.is(retainedOf([...all, at('2026-11-22T02:00:00Z')]).size, KEEP.days);
});

test('a moment is a whole day, a time in India or with its zone, or the name of a snapshot', () => {
  const iso = (text: string) => readMoment(text)?.toISOString();
  assert.is(iso('2026-11-22'), '2026-11-22T18:29:59.999Z');
  assert.is(iso('2026-11-22T18:30'), '2026-11-22T13:00:59.999Z');
  assert.is(iso('2026-11-22T18:30Z'), '2026-11-22T18:30:59.999Z');
  assert.is(iso('2026-11-22T18-30-00Z'), '2026-11-22T18:30:00.000Z');
  for (const wrong of ['', 'yesterday', '22.11.2026', '2026-13-01', '2026-02-30', '5'])
    assert.is(readMoment(wrong), null, wrong);
});

test('while the folder of the snapshots cannot be read nothing is deleted, since the files of all earlier ones would count as unnamed', async () => {
  const backup = await mkdtemp(join(tmpdir(), 'almirah-snapshots-'));
  // Of the faults of a disk, this one can be made.
  await symlink('snapshots', join(backup, 'snapshots'));
  const blobs = await openDiskBytes({ root: join(backup, 'blobs') });
  const id = 'ab'.repeat(16);
  await blobs.create(id, 4).commit(Buffer.from('head'), []);
  const latest = { name: '2026-11-22T02-00-00Z', ...at('2026-11-22T02:00:00Z'), folder: backup };
  const deleted = deleteExpired(backup, blobs, latest, { named: new Set(), key: undefined });
  assert.match(String(await deleted.catch((error: unknown) => error)), 'ELOOP');
  assert.ok(await blobs.has(id));
  await rm(backup, { recursive: true });
});

test.run();

import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tryExclusiveLock } from '../datadir/deletion-lock.ts';
import { backupJobs } from '../recurring.ts';
import { openDiskPlace } from './repository/disk-place.ts';
import { concatenate } from './repository/place.ts';
import type { NightlyWorld } from './testing/nightly.ts';
import { nightlyWorld } from './testing/nightly.ts';
import { watchedPlace } from './watched-place.ts';

const test = suite<NightlyWorld>('backups that take long');
const { signal } = new AbortController();

test.before.each(async (world) => {
  Object.assign(world, await nightlyWorld());
});
test.after.each((world) => world.end());

test('backups, proofs and trials report what moves, since a large vault over a slow line takes more than the six hours of a job', async ({
  work,
  build,
  admin,
}) => {
  await build.file(admin, { content: randomBytes(5000) });
  const jobs = backupJobs(work);
  for (const kind of ['nightly-backup', 'verify-backups', 'trial-restore']) {
    let reports = 0;
    assert.is(await jobs[kind]!.run(signal, () => (reports += 1)), 1, kind);
    assert.ok(reports > 0, kind);
  }
});

test('each piece of a large file is reported, since one file alone may take hours', async ({ place }) => {
  let reports = 0;
  const watched = watchedPlace(await openDiskPlace(place), signal, () => (reports += 1));
  const piece = Buffer.alloc(1024 * 1024);
  await watched.write('blobs/large', {
    bytes: 8 * piece.length,
    chunks: Readable.from(Array(8).fill(piece)),
  });
  await watched.settle();
  assert.ok(reports >= 8, `${reports} while it was written`);
  reports = 0;
  assert.is((await concatenate(watched.stream('blobs/large'))).length, 8 * piece.length);
  assert.ok(reports >= 8, `${reports} while it was read`);
});

test('the alarm of a late backup says that one is under way, since nobody has to start it then', async ({
  db,
  config,
  services,
  admin,
  at,
}) => {
  const run = { kind: 'backup', place: config.backups!.place, started_at: '2026-11-22T12:00:00.000Z' };
  await db('backup_runs').insert({ ...run, status: 'running' });
  at('2026-11-23T15:00:00Z');
  const { alarm } = (await services.backups.notice(admin))!;
  assert.match(
    alarm!.message,
    /No backup has been made yet.* One that began on Nov 22, 2026, 5:30 PM IST has not ended yet\./,
  );
});

test('nothing is due while another run is under way, since its tries would count as a background job that fails', async ({
  work,
  config,
  at,
}) => {
  const due = async () => [await work.backupDue(), await work.proofDue(), await work.trialDue()];
  await work.backup(signal);
  at('2026-11-23T12:00:00Z');
  const release = await tryExclusiveLock(config.dataDir, 'backups.sqlite');
  assert.equal(await due(), [false, false, false]);
  await release!();
  assert.equal(await due(), [true, true, true]);
  for (let n = 0; n < 3; n += 1) {
    const [{ status }] = await Promise.all([work.backup(signal), due(), due()]);
    assert.is(status, 'done', 'to look whether it is free refuses no run');
  }
});

test.run();

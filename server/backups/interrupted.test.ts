import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pino } from 'pino';
import { ServerStopping } from '#server/stopping.ts';
import { openVault, trialDatabase } from '../services/backups-vault.ts';
import { findPageKey } from '../datadir/page-key.ts';
import { until } from '../testing/until.ts';
import { openDiskPlace } from './repository/disk-place.ts';
import type { Place } from './repository/place.ts';
import type { RunKind, RunStatus } from './contract.ts';
import { createBackups } from './service.ts';
import type { NightlyWorld } from './testing/nightly.ts';
import { nightlyWorld } from './testing/nightly.ts';
import type { BackupWork } from './work.ts';

const test = suite<NightlyWorld>('backups that a stop of the server ends');
const { signal } = new AbortController();

test.before.each(async (world) => {
  Object.assign(world, await nightlyWorld());
  for (let n = 0; n < 3; n += 1) await world.build.file(world.admin, { content: randomBytes(5000) });
});
test.after.each((world) => world.end());

/** The place, which lets nothing through from the first stream on, until `release`. */
function heldPlace({ place }: NightlyWorld) {
  const held = { isReached: false, release: () => {} };
  const released = new Promise<void>((resolve) => {
    held.release = resolve;
  });
  async function* hold<T>(all: AsyncIterable<T>): AsyncGenerator<T> {
    held.isReached = true;
    await released;
    yield* all;
  }
  async function openPlace(): Promise<Place> {
    const disk = await openDiskPlace(place);
    return {
      ...disk,
      stream: (key) => hold(disk.stream(key)),
      write: (key, body) => disk.write(key, 'chunks' in body ? { ...body, chunks: hold(body.chunks) } : body),
    };
  }
  return { held, openPlace };
}

/** The backups of a server with another place. */
const backupsIn = ({ db, config, now, services }: NightlyWorld, open: () => Promise<Place>) =>
  createBackups({
    db,
    clock: now,
    log: pino({ level: 'silent' }),
    audit: services.audit,
    admins: services.system.admins,
    prove: async () => {},
    settings: { appName: 'Almirah', baseUrl: config.baseUrl },
    folder: {
      dataDir: config.dataDir,
      openVault: () => openVault(config),
      hold: async () => async () => {},
      trialDatabase: trialDatabase(() => findPageKey(config)),
      source: config,
    },
    place: { settings: config.backups!, open, problem: async () => null },
    stopTimeoutMs: 50,
  });

const statusesOf = (world: NightlyWorld, kind: RunKind): Promise<RunStatus[]> =>
  world.db('backup_runs').where({ kind }).orderBy('id').pluck('status');

const KINDS: [kind: RunKind, run: (work: BackupWork, signal: AbortSignal) => Promise<unknown>][] = [
  ['backup', (work, stopping) => work.backup(stopping)],
  ['proof', (work, stopping) => work.prove(stopping, { all: true })],
  ['trial', (work, stopping) => work.try(stopping)],
];

for (const [kind, run] of KINDS)
  test(`a ${kind} that a stop ends is shown as interrupted at once, since the process may exit before it has ended`, async (world) => {
    if (kind !== 'backup') await world.work.backup(signal);
    const { held, openPlace } = heldPlace(world);
    const work = backupsIn(world, openPlace).work!;
    const stop = new AbortController();
    const running = run(work, stop.signal);
    await until(() => held.isReached);
    const before = await statusesOf(world, kind);
    stop.abort(new ServerStopping());
    await until(async () => (await statusesOf(world, kind))[0] !== 'running');
    const [view] = await world.db('backup_runs').where({ kind });
    held.release();
    await running;
    assert.equal([before, view.status], [['running'], 'interrupted']);
    assert.match(view.message, 'The server was stopped meanwhile.');
    assert.equal(await statusesOf(world, kind), ['interrupted'], 'also once the work has ended');
  });

test('an interrupted backup is due after the start, although it was asked for by day and that of the night is made', async (world) => {
  const { work, services, admin } = world;
  await work.backup(signal);
  assert.not(await work.backupDue());
  // While the server stops.
  await services.backups.stop();
  await services.backups.runNow(admin);
  await services.backups.idle();
  assert.equal(await statusesOf(world, 'backup'), ['done', 'interrupted']);
  assert.ok(await work.backupDue());
  assert.is((await work.backup(signal)).status, 'done');
  assert.not(await work.backupDue());
});

test('a stop does not wait for a backup whose place does not answer, since the service would be killed then', async (world) => {
  const { held, openPlace } = heldPlace(world);
  const backups = backupsIn(world, openPlace);
  await backups.runNow(world.admin);
  await until(() => held.isReached);
  await backups.stop();
  await until(async () => (await statusesOf(world, 'backup'))[0] !== 'running');
  assert.equal(await statusesOf(world, 'backup'), ['interrupted']);
  held.release();
  await backups.idle();
});

test('stops of the server are no reason for an alarm, however many of them have ended the proofs', async (world) => {
  const { work, services, admin, at, db } = world;
  await work.backup(signal);
  const stop = new AbortController();
  stop.abort(new ServerStopping());
  for (const day of ['23', '24', '25', '26', '27']) {
    at(`2026-11-${day}T12:00:00Z`);
    assert.is((await work.prove(stop.signal)).status, 'interrupted');
    assert.is((await work.try(stop.signal)).status, 'interrupted');
    assert.ok(await work.proofDue(), 'it is taken again without a pause');
    assert.ok(await work.trialDue());
    await work.backup(signal);
  }
  assert.is((await services.backups.notice(admin))?.alarm ?? null, null);
  assert.is(await services.system.sendAlarms(), 0);
  assert.equal(await db('jobs').where({ subject: 'system.alarm' }), []);
});

test('a backup in which nothing moves has failed, and is tried again after a pause', async ({ work }) => {
  const given = new AbortController();
  given.abort(new Error('The job was ended: stuck.'));
  const { status, message } = await work.backup(given.signal);
  assert.is(status, 'failed');
  assert.match(message, 'nothing moved for hours');
  assert.not(await work.backupDue());
});

test.run();

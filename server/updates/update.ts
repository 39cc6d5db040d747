import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  currentOf,
  flushDisk,
  folderOf,
  makeCurrent,
  migrationsIn,
  releasesOf,
  deleteReleases,
  versionIn,
} from './layout.ts';
import type { Records, UpdateRecord } from './record.ts';
import { isUnderWay } from './record.ts';
import type { Release } from './release.ts';
import type { UpdateSnapshot } from './resume.ts';
import { finishReverted, finishDone } from './resume.ts';

/** The server as a service that can be stopped and started, by systemd or by a person. */
export interface Service {
  /** Resolves once it has shut down and released the data folder. */
  stop(): Promise<void>;
  /** Starts the current version; null where only a person can start it. */
  start: (() => Promise<void>) | null;
  /**
   * Resolves once the server has been healthy for a while.
   * @throws with the reason when it is not.
   */
  watch(): Promise<void>;
}

export interface UpdateDependencies {
  /** The installation folder. */
  base: string;
  records: Records;
  service: Service;
  /** Each call holds the lock of the data folder while it works. */
  snapshot: UpdateSnapshot & { takeSnapshot(): Promise<void> };
  /** Unpacks the archive into a new, empty folder. */
  unpack(folder: string): Promise<Release>;
  /** Installs packages and builds pages of a version; `from` is the folder of the running version. */
  prepare(folder: string, from: string): Promise<void>;
  /** Makes a backup; null when backups are off. */
  backup: (() => Promise<void>) | null;
  /**
   * Runs a trial of a version: it opens the data folder, migrates the database and responds, unreachable for
   * users.
   * @throws with the reason when it fails.
   */
  runTrial(folder: string): Promise<void>;
  now(): Date;
  /** Reports progress to the admin. */
  say(line: string): void;
  /** Reports progress to tests, which may simulate a power failure at each step. */
  reachedStep(step: string): void;
}

export type Outcome = { outcome: 'done' | 'back'; why: string | null };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Puts the previous version back, and the database if the new version migrated it. */
async function revert(dependencies: UpdateDependencies, record: UpdateRecord, why: string): Promise<Outcome> {
  const { base, records, service, snapshot, say, reachedStep, now } = dependencies;
  say(`${record.to} does not work here: ${why}`);
  say(`Going back to ${record.from}.`);
  const returning: UpdateRecord = { ...record, step: 'returning', why };
  await service.stop();
  await records.write(returning);
  reachedStep('returning');
  const folder = await folderOf(base, record.from);
  if (!folder) throw new Error(`The folder of version ${record.from} is gone from ${base}. Unpack it again.`);
  await makeCurrent(base, folder);
  reachedStep('returned');
  await finishReverted(records, returning, snapshot, now());
  await service.start?.();
  await service.watch();
  return { outcome: 'back', why };
}

/** Continues an update after its trial has succeeded. */
async function switchTo(dependencies: UpdateDependencies, record: UpdateRecord): Promise<Outcome> {
  const { base, records, service, snapshot, say, reachedStep, now } = dependencies;
  const folder = await folderOf(base, record.to);
  if (!folder) return revert(dependencies, record, `its folder is gone from ${base}`);
  await makeCurrent(base, folder);
  reachedStep('switched');
  const watching: UpdateRecord = { ...record, step: 'watching' };
  await records.write(watching);
  reachedStep('watching');
  if (service.start) {
    say(`Starting ${record.to}, and watching it.`);
    try {
      await service.start();
      await service.watch();
    } catch (error) {
      return revert(dependencies, watching, messageOf(error));
    }
  }
  await finishDone(records, watching, snapshot, now());
  await deleteReleases(base, (version) => version !== record.from && version !== record.to);
  reachedStep('done');
  return { outcome: 'done', why: null };
}

/**
 * Ends an interrupted update: completes it when the trial had succeeded, otherwise reverts it.
 * @returns null when there was none.
 */
export async function finishUpdate(dependencies: UpdateDependencies): Promise<Outcome | null> {
  const { base, records, service, snapshot, say, now } = dependencies;
  const record = await records.read();
  if (!record || !isUnderWay(record)) return null;
  say(`The update from ${record.from} to ${record.to} was cut short.`);
  if (record.step === 'watching' || record.step === 'switching') {
    await service.stop();
    return switchTo(dependencies, record);
  }
  if (record.step === 'returning') return revert(dependencies, record, record.why ?? 'It was stopped.');
  await service.stop();
  const folder = await folderOf(base, record.from);
  if (folder) await makeCurrent(base, folder);
  await finishReverted(records, record, snapshot, now());
  if (record.why) say(`${record.to} did not work: ${record.why}`);
  say(`Staying with ${record.from}.`);
  await service.start?.();
  return { outcome: 'back', why: record.why };
}

/** Installs a release beside the running version. @returns its folder. */
async function install(dependencies: UpdateDependencies, release: Release, from: string): Promise<string> {
  const { base, say, reachedStep } = dependencies;
  const folder = join(releasesOf(base), release.version);
  const incoming = join(releasesOf(base), `incoming-${release.version}`);
  await deleteReleases(base, (version) => version === release.version);
  await mkdir(incoming, { recursive: true, mode: 0o755 });
  say(`Unpacking ${release.version} beside the version that runs.`);
  await dependencies.unpack(incoming);
  reachedStep('unpacked');
  say('Making it ready.');
  await dependencies.prepare(incoming, from);
  await flushDisk(incoming);
  reachedStep('ready');
  await rename(incoming, folder);
  await flushDisk(folder);
  reachedStep('brought');
  return folder;
}

/**
 * Updates the installation to a verified release: it is built beside the running version, tried on the data
 * folder while the server is stopped, then switched to and watched. When it fails, program and database are as
 * before.
 * @throws what prevents the update before anything has changed.
 */
export async function update(dependencies: UpdateDependencies, release: Release): Promise<Outcome> {
  const { base, records, service, snapshot, say, reachedStep, now } = dependencies;
  const before = await currentOf(base);
  const from = await versionIn(before);
  if (!from) throw new Error(`${before} does not say which version it is.`);
  const folder = await install(dependencies, release, before);
  if (dependencies.backup) {
    say('Making a backup.');
    await dependencies.backup();
  }
  reachedStep('backed up');
  await makeCurrent(base, before);
  say('Stopping the server.');
  await service.stop();
  reachedStep('stopped');
  const known = await migrationsIn(before);
  const record: UpdateRecord = {
    from,
    to: release.version,
    step: 'trying',
    database: release.migrations.some((name) => !known.includes(name)),
    began_at: now().toISOString(),
    ended_at: null,
    why: null,
  };
  try {
    await snapshot.takeSnapshot();
  } catch (error) {
    await service.start?.();
    throw error;
  }
  reachedStep('snapshot');
  await records.write(record);
  reachedStep('trying');
  say(`Trying ${release.version} on the documents, where nobody reaches it.`);
  try {
    await dependencies.runTrial(folder);
  } catch (error) {
    return revertTrial(dependencies, record, messageOf(error));
  }
  reachedStep('tried');
  await records.write({ ...record, step: 'switching' });
  reachedStep('switching');
  return switchTo(dependencies, { ...record, step: 'switching' });
}

/** Restarts the previous version on the previous database, since nobody has worked in the meantime. */
async function revertTrial(
  dependencies: UpdateDependencies,
  record: UpdateRecord,
  why: string,
): Promise<Outcome> {
  const { records, service, snapshot, say, reachedStep, now } = dependencies;
  say(`${record.to} does not work here: ${why}`);
  say(`Staying with ${record.from}, and with the database as it was.`);
  await records.write({ ...record, why });
  reachedStep('refused');
  await finishReverted(records, { ...record, why }, snapshot, now());
  await service.start?.();
  await service.watch();
  return { outcome: 'back', why };
}

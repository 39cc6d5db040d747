import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  currentOf,
  flushDisk,
  folderOf,
  makeCurrent,
  migrationsIn,
  releasesOf,
  sweepReleases,
  versionIn,
} from './layout.ts';
import type { Records, UpdateRecord } from './record.ts';
import { isUnderWay } from './record.ts';
import type { Release } from './release.ts';
import type { UpdateSnapshot } from './resume.ts';
import { endBack, endDone } from './resume.ts';

/** The server as something that is stopped and started, by systemd or whoever looks after it. */
export interface Service {
  /** Resolves once it has ended in order and let go of the data folder. */
  stop(): Promise<void>;
  /** Starts the version that is current. Null where nobody but a person starts it. */
  start: (() => Promise<void>) | null;
  /** Resolves once it has been well for a while. @throws with the reason when it is not. */
  watch(): Promise<void>;
}

export interface UpdateParts {
  /** The installed folder. */
  base: string;
  records: Records;
  service: Service;
  /** Each holds the lock of the data folder as long as it works. */
  snapshot: UpdateSnapshot & { takeSnapshot(): Promise<void> };
  /** Reads the archive into a new, empty folder. */
  unpack(folder: string): Promise<Release>;
  /** Brings packages and pages of a version; `from` is the folder that runs. */
  makeReady(folder: string, from: string): Promise<void>;
  /** Makes a backup; null where none are set up. */
  backup: (() => Promise<void>) | null;
  /** Has a version open the data folder, bring the database to its form and answer, where nobody else reaches it. @throws with the reason when it does not. */
  tryOut(folder: string): Promise<void>;
  now(): Date;
  /** What is begun, in words. */
  say(line: string): void;
  /** The same for programs; a power failure may come at each. */
  at(step: string): void;
}

export type Outcome = { outcome: 'done' | 'back'; why: string | null };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Puts the version of before back, and the database if the new one changed its form. */
async function goBack(parts: UpdateParts, record: UpdateRecord, why: string): Promise<Outcome> {
  const { base, records, service, snapshot, say, at, now } = parts;
  say(`${record.to} does not work here: ${why}`);
  say(`Going back to ${record.from}.`);
  const returning: UpdateRecord = { ...record, step: 'returning', why };
  await service.stop();
  await records.write(returning);
  at('returning');
  const folder = await folderOf(base, record.from);
  if (!folder) throw new Error(`The folder of version ${record.from} is gone from ${base}. Unpack it again.`);
  await makeCurrent(base, folder);
  at('returned');
  await endBack(records, returning, snapshot, now());
  await service.start?.();
  await service.watch();
  return { outcome: 'back', why };
}

/** From when the new version was found to work. */
async function switchTo(parts: UpdateParts, record: UpdateRecord): Promise<Outcome> {
  const { base, records, service, snapshot, say, at, now } = parts;
  const folder = await folderOf(base, record.to);
  if (!folder) return goBack(parts, record, `its folder is gone from ${base}`);
  await makeCurrent(base, folder);
  at('switched');
  const watching: UpdateRecord = { ...record, step: 'watching' };
  await records.write(watching);
  at('watching');
  if (service.start) {
    say(`Starting ${record.to}, and watching it.`);
    try {
      await service.start();
      await service.watch();
    } catch (error) {
      return goBack(parts, watching, messageOf(error));
    }
  }
  await endDone(records, watching, snapshot, now());
  await sweepReleases(base, (version) => version !== record.from && version !== record.to);
  at('done');
  return { outcome: 'done', why: null };
}

/**
 * Ends an update that was cut short: goes on with it when the new version was found to work, otherwise goes back.
 * @returns null when there was none.
 */
export async function finishUpdate(parts: UpdateParts): Promise<Outcome | null> {
  const { base, records, service, snapshot, say, now } = parts;
  const record = await records.read();
  if (!record || !isUnderWay(record)) return null;
  say(`The update from ${record.from} to ${record.to} was cut short.`);
  if (record.step === 'watching' || record.step === 'switching') {
    await service.stop();
    return switchTo(parts, record);
  }
  if (record.step === 'returning') return goBack(parts, record, record.why ?? 'It was stopped.');
  await service.stop();
  const folder = await folderOf(base, record.from);
  if (folder) await makeCurrent(base, folder);
  await endBack(records, record, snapshot, now());
  say(`${record.from} goes on where it was.`);
  await service.start?.();
  return { outcome: 'back', why: record.why };
}

/** Brings a release beside the version that runs. @returns its folder. */
async function bring(parts: UpdateParts, release: Release, from: string): Promise<string> {
  const { base, say, at } = parts;
  const folder = join(releasesOf(base), release.version);
  const incoming = join(releasesOf(base), `incoming-${release.version}`);
  await sweepReleases(base, (version) => version === release.version);
  await mkdir(incoming, { recursive: true, mode: 0o755 });
  say(`Unpacking ${release.version} beside the version that runs.`);
  await parts.unpack(incoming);
  at('unpacked');
  say('Making it ready.');
  await parts.makeReady(incoming, from);
  await flushDisk(incoming);
  at('ready');
  await rename(incoming, folder);
  await flushDisk(folder);
  at('brought');
  return folder;
}

/**
 * Brings the installation to a release, which was checked before: built beside the running version, tried on the data folder while
 * nobody works, then switched to and watched. When it does not work, program and database are as before.
 * @throws what prevents it before anything is changed.
 */
export async function update(parts: UpdateParts, release: Release): Promise<Outcome> {
  const { base, records, service, snapshot, say, at, now } = parts;
  const before = await currentOf(base);
  const from = await versionIn(before);
  if (!from) throw new Error(`${before} does not say which version it is.`);
  const folder = await bring(parts, release, before);
  if (parts.backup) {
    say('Making a backup.');
    await parts.backup();
  }
  at('backed up');
  await makeCurrent(base, before);
  say('Stopping the server.');
  await service.stop();
  at('stopped');
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
  at('snapshot');
  await records.write(record);
  at('trying');
  say(`Trying ${release.version} on the documents, where nobody reaches it.`);
  try {
    await parts.tryOut(folder);
  } catch (error) {
    return goBackUntried(parts, record, messageOf(error));
  }
  at('tried');
  await records.write({ ...record, step: 'switching' });
  at('switching');
  return switchTo(parts, { ...record, step: 'switching' });
}

/** The version of before runs again, on the database of before, as nobody has worked since. */
async function goBackUntried(parts: UpdateParts, record: UpdateRecord, why: string): Promise<Outcome> {
  const { records, service, snapshot, say, at, now } = parts;
  say(`${record.to} does not work here: ${why}`);
  say(`${record.from} goes on, with the database as it was.`);
  await records.write({ ...record, why });
  at('refused');
  await endBack(records, { ...record, why }, snapshot, now());
  await service.start?.();
  await service.watch();
  return { outcome: 'back', why };
}

import { copyFile, link, mkdir, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ByteStore } from '#storage/bytes.ts';
import { flushFile, flushFolder } from '#storage/durable.ts';
import { DATABASE_FILE } from '../../knexfile.ts';
import { KEEP, keptBy } from '../backups/repository/retention-rule.ts';
import { isCalendarDay } from '#server/text/calendar-day.ts';
import { momentInWords } from '#server/text/day-in-india.ts';
import { fileBlobs } from '../datadir/named-files.ts';
import { openCopy } from '../datadir/single-file.ts';
import { dateOf, MANIFEST } from './manifest.ts';

const FOLDER = 'snapshots';
/**
 * Suffixes of snapshots that are being written or deleted: they do not count, and the next backup removes
 * leftovers.
 */
const INCOMING = '.new';
const DELETING = '.gone';
const NIGHTLY_MANIFEST = 'manifest';
const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z$/;

export interface Snapshot {
  /** Such as 2026-11-22T02-00-00Z; sorts by date. */
  name: string;
  at: Date;
  /** Contains the database and its manifest. */
  folder: string;
}

export const snapshotName = (date: Date): string =>
  date.toISOString().slice(0, 19).replaceAll(':', '-') + 'Z';

function read(folder: string, name: string): Snapshot[] {
  const found = NAME.exec(name);
  if (!found) return [];
  const [, day, hour, minute, second] = found;
  return [{ name, at: new Date(`${day}T${hour}:${minute}:${second}Z`), folder: join(folder, name) }];
}

/** How much the clock of the machine that restores may be behind that of the server. */
const CLOCKS_DIFFER_MS = 10 * 60_000;
/** Whether what was made at this time by some clock may have been made at another. */
export const isDatedLater = (made: Date): boolean => made.getTime() > Date.now() + CLOCKS_DIFFER_MS;
export const DATED_LATER =
  'is dated later than now, so it may not be the newest: a clock was wrong when it was made, or is wrong here.';

/** Whether it was made by the nightly backups, which have another format, in a folder that was given to both. */
const isNightly = ({ folder }: Snapshot): Promise<boolean> =>
  stat(join(folder, NIGHTLY_MANIFEST)).then(
    () => true,
    () => false,
  );

/** The snapshots of a backup, oldest first; includes the single database of the old format. */
export async function snapshotsIn(backup: string): Promise<Snapshot[]> {
  const folder = join(backup, FOLDER);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    // A folder that cannot be read is not one without snapshots: their files would be deleted.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  const found: Snapshot[] = [];
  for (const snapshot of names.flatMap((name) => read(folder, name)))
    if (!(await isNightly(snapshot))) found.push(snapshot);
  const date = await oldFormatDate(backup);
  if (date) found.push({ name: snapshotName(date), at: date, folder: backup });
  return found.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** Date of the database in the old format; null when there is no complete one. */
async function oldFormatDate(backup: string): Promise<Date | null> {
  const manifest = await readFile(join(backup, MANIFEST), 'utf8').catch(() => null);
  if (manifest === null) return null;
  const file = await stat(join(backup, DATABASE_FILE)).catch(() => null);
  return dateOf(manifest) ?? file?.mtime ?? new Date(0);
}

/** Converts a backup of the old format into its first snapshot; it is restorable at every moment. */
export async function convertOldFormat(backup: string): Promise<void> {
  const folder = join(backup, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder))
    if (name.endsWith(INCOMING) || name.endsWith(DELETING)) await rm(join(folder, name), { recursive: true });
  const date = await oldFormatDate(backup);
  const names = await readdir(backup);
  if (date && names.includes(DATABASE_FILE) && !(await readdir(folder)).includes(snapshotName(date))) {
    const snapshot = await beginSnapshot(backup, date);
    for (const file of [DATABASE_FILE, MANIFEST]) {
      const to = join(snapshot.folder, file);
      // Not every file system has links.
      await link(join(backup, file), to).catch(() => copyFile(join(backup, file), to));
      await flushFile(to);
    }
    await finishSnapshot(snapshot);
  }
  // The manifest first: without it the database does not count as a backup.
  for (const file of [MANIFEST, DATABASE_FILE, `${DATABASE_FILE}.new`])
    if (names.includes(file)) await unlink(join(backup, file));
}

/** A folder for a snapshot that does not count until `finishSnapshot`. */
export async function beginSnapshot(backup: string, date: Date): Promise<Snapshot> {
  const name = snapshotName(date);
  const folder = join(backup, FOLDER, name + INCOMING);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  return { name, at: date, folder };
}

/** Call once its content is flushed. @returns the snapshot at its final path. */
export async function finishSnapshot(snapshot: Snapshot): Promise<Snapshot> {
  const folder = snapshot.folder.slice(0, -INCOMING.length);
  await flushFolder(snapshot.folder);
  await rename(snapshot.folder, folder);
  await flushFolder(join(folder, '..'));
  return { ...snapshot, folder };
}

export const dropSnapshot = ({ folder }: Snapshot): Promise<void> =>
  rm(folder, { recursive: true, force: true });

/** The current time, or the next second when a snapshot has this one's name. */
export async function freeTimestamp(backup: string): Promise<Date> {
  for (;;) {
    const now = new Date();
    if (!(await snapshotsIn(backup)).some(({ name }) => name === snapshotName(now))) return now;
    await wait(1000 - (now.getTime() % 1000));
  }
}

/** The snapshots that the retention rule keeps (see `keptBy`); their names are in UTC, so days begin there in UTC. */
export const retainedOf = <T extends { at: Date }>(snapshots: readonly T[], until?: Date): Set<T> =>
  keptBy(KEEP, snapshots, { ...(until && { until }), offsetMs: 0 });

/**
 * Deletes snapshots that the retention rule no longer keeps, and then blobs that no remaining snapshot names.
 * @param latest the snapshot just made. Those dated after it are kept, since the clock was ahead when they were made.
 * @param named the blobs of `latest`.
 * @param key key of the database pages.
 * @returns names of snapshots whose databases cannot be read: while there are any, no blob is deleted.
 */
export async function deleteExpired(
  backup: string,
  blobs: ByteStore,
  latest: Snapshot,
  { named, key }: { named: ReadonlySet<string>; key: string | undefined },
): Promise<string[]> {
  const all = await snapshotsIn(backup);
  const retained = retainedOf(all, latest.at);
  const others = all.filter((snapshot) => snapshot.name !== latest.name);
  for (const { folder, ...snapshot } of others.filter((other) => !retained.has(other))) {
    const leaving = `${folder}${DELETING}`;
    await rename(folder, leaving);
    await dropSnapshot({ ...snapshot, folder: leaving });
  }
  const unnamed = new Set<string>();
  for await (const { id } of blobs.list()) if (!named.has(id)) unnamed.add(id);
  const unreadable: string[] = [];
  for (const snapshot of others.filter((other) => retained.has(other))) {
    if (unnamed.size === 0) break;
    const db = openCopy(join(snapshot.folder, DATABASE_FILE), key);
    try {
      for await (const id of fileBlobs(db)) unnamed.delete(id);
    } catch {
      unreadable.push(snapshot.name);
    } finally {
      await db.destroy();
    }
  }
  if (unreadable.length === 0) for (const id of unnamed) await blobs.delete(id);
  return unreadable;
}

/**
 * The latest moment that `text` includes, in India: a day, a time of day with its minute, a time with its zone, or a snapshot's name, which
 * is in UTC. Null when it is none of these.
 */
export function readMoment(text: string): Date | null {
  const snapshot = read('', text)[0];
  if (snapshot) return snapshot.at;
  const [, day, time = 'T23:59', seconds = ':59.999', zone = '+05:30'] =
    /^(\d{4}-\d\d-\d\d)(?:(T\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  const date = new Date(day && isCalendarDay(day) ? day + time + seconds + zone : Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Snapshots by their names, which are in UTC, with the time in India: that is what a day in `--at` means. */
export const listOf = (snapshots: readonly { at: Date }[]): string =>
  snapshots.map(({ at }) => `  ${snapshotName(at)}  ${momentInWords(at)}`).join('\n');

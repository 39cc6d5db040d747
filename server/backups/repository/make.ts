import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobList } from './blob-list.ts';
import type { LeftOut, Source } from './copy-blobs.ts';
import { copyBlobs } from './copy-blobs.ts';
import { storeDatabase } from './database-pieces.ts';
import type { KeepRule } from './retention-rule.ts';
import { blobsIn, checkKey, piecesIn, unfinishedKey } from './layout.ts';
import type { RepositoryKeys } from './keys.ts';
import type { Snapshot } from './manifest.ts';
import {
  deleteUnfinished,
  isSigned,
  momentOf,
  readBlobList,
  readSnapshots,
  writeSnapshot,
} from './manifest.ts';
import { backupsGone, claimPlace } from './marker.ts';
import type { Place } from './place.ts';
import type { Pruned } from './prune.ts';
import { prune } from './prune.ts';

/** The database of a snapshot, open for reading. */
interface NamedFiles {
  /** The ids of all blobs that the database refers to. */
  blobs(): AsyncIterable<string>;
  count(): Promise<{ files: number; versions: number }>;
  /** The newest migration that was applied. */
  migration(): Promise<string>;
  /** Names the file to which a blob belongs, for messages. */
  describe(id: string): Promise<string>;
  close(): Promise<void>;
}

export interface VaultDatabase {
  /** Writes a snapshot of the database to a new file. */
  copy(file: string): Promise<void>;
  open(file: string): NamedFiles;
}

interface BackupOptions {
  place: Place;
  keys: RepositoryKeys;
  /** The vault id. */
  vault: string;
  /** When the last backup of the vault in this place ended; null if there was none. */
  last: Date | null;
  /** The data folder's master.check. */
  check: string;
  keep: KeepRule;
  /** Whether the recovery sheet of the vault's key was saved. Until then backups of the key before are kept beyond the rule. */
  sheetSaved: boolean;
  source: Source;
  database: VaultDatabase;
  /** A folder for the copy of the database; created if it does not exist. */
  scratch: string;
  now: Date;
  signal: AbortSignal;
  /** Called as each step begins. */
  step?(name: 'database' | 'pieces' | 'manifest' | 'prune'): void;
}

export interface Made {
  snapshot: Snapshot;
  /** The bytes that were newly written. */
  fresh: number;
  /** Messages about files that are missing or damaged in the vault. */
  faults: string[];
  pruned: Pruned;
}

/** How far from now several backups of one second are moved: more than that, and the clock was ahead. */
const MOST_MOVED_SECONDS = 60;

/**
 * The second by which a new snapshot is named: now, or after the snapshots that were moved ahead because their second was taken. It is
 * the latest of them, although the one that had its second may be deleted already.
 */
function freeMoment(now: Date, taken: ReadonlySet<string>): Date {
  const after = (seconds: number) => new Date((Math.floor(now.getTime() / 1000) + seconds) * 1000);
  let moved = MOST_MOVED_SECONDS;
  while (moved > 0 && !taken.has(momentOf(after(moved - 1)))) moved -= 1;
  while (taken.has(momentOf(after(moved)))) moved += 1;
  return after(moved);
}

/**
 * The blob lists of an interrupted run and of the newest readable snapshot: they give the lengths and hashes of existing copies. A snapshot
 * dated later than now is not the newest, but one of a night on which the clock was ahead.
 */
async function knownBlobs(
  { place, keys, now }: BackupOptions,
  snapshots: readonly Snapshot[],
): Promise<BlobList[]> {
  const known: BlobList[] = [];
  const unfinished = await place.read(unfinishedKey(keys.id));
  if (unfinished && unfinished.length % 56 === 0) known.push(new BlobList(unfinished));
  const ofKey = snapshots.filter((snapshot) => snapshot.manifest.key === keys.id && isSigned(snapshot, keys));
  const [past, ahead] = [ofKey.filter(({ at }) => at <= now), ofKey.filter(({ at }) => at > now)];
  for (const snapshot of [...past.toReversed(), ...ahead]) {
    const list = await readBlobList(place, snapshot);
    if (!list) continue;
    known.push(list);
    break;
  }
  return known;
}

/** Like `Promise.all`, but waits for both even if one fails, so that nothing is written afterwards. */
async function both<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** Lists the objects of the vault’s key. They are listed each time, since a copy that existed last night may have been lost. */
async function listExisting(options: BackupOptions, snapshots: readonly Snapshot[]) {
  const { place, keys } = options;
  return {
    blobs: await blobsIn(place, keys.id),
    pieces: await piecesIn(place, keys.id),
    earlier: await knownBlobs(options, snapshots),
  };
}

async function idsOf(files: NamedFiles): Promise<string[]> {
  const ids = new Set<string>();
  for await (const id of files.blobs()) ids.add(id);
  return [...ids].toSorted();
}

/**
 * Adds a snapshot to the place, and deletes those that the retention rule no longer keeps. Meanwhile nobody else may delete blobs of the
 * vault or write to the place. An interrupted run leaves all earlier snapshots intact.
 * @throws {PlaceRefused}
 */
export async function makeBackup(options: BackupOptions): Promise<Made> {
  const { place, keys, vault, last, now, source, database, scratch, step = () => {} } = options;
  const marker = await claimPlace(place, { vault, known: last !== null, now });
  const { snapshots, unreadable } = await readSnapshots(place);
  // An `adopt` since then writes the marker anew.
  const isKnown = last !== null && Date.parse(marker.made_at) <= last.getTime();
  if (isKnown && snapshots.length + unreadable.length === 0) throw backupsGone(place);
  await place.deleteIncomplete();
  await deleteUnfinished(place);
  const date = freeMoment(now, new Set([...snapshots.map(({ moment }) => moment), ...unreadable]));
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const copy = join(scratch, 'backup.sqlite');
  const deleteCopy = () =>
    Promise.all(['', '-journal', '-wal', '-shm'].map((end) => rm(`${copy}${end}`, { force: true })));
  await deleteCopy();
  try {
    step('database');
    // Concurrently: listing waits for the disk of the backups, and copying for that of the vault.
    const [existing] = await both(listExisting(options, snapshots), database.copy(copy));
    const files = database.open(copy);
    try {
      await place.write(checkKey(keys.id), Buffer.from(options.check));
      const ids = await idsOf(files);
      step('pieces');
      // Concurrently: copying files waits for the disk, and sealing the database for the processor.
      const [copied, stored] = await both(
        copyBlobs({ ...options, source }, ids, existing.blobs, existing.earlier),
        storeDatabase(options, copy, existing.pieces),
      );
      const { list, leftOut, lost } = copied;
      await place.settle();
      step('manifest');
      const { bytes, pieces } = stored;
      const snapshot = await writeSnapshot(place, keys, {
        vault,
        made_at: date.toISOString(),
        migration: await files.migration(),
        database: { bytes, pieces },
        files: await files.count(),
        left_out: leftOut.map(({ id }) => id),
        list,
      });
      const faults = [...(await describeLeftOut(files, leftOut)), ...(await describeLost(files, lost))];
      step('prune');
      await place.delete(unfinishedKey(keys.id));
      // `existing` lacks the newly written objects, but the new snapshot keeps those anyway.
      const pruned = await prune(
        place,
        { rule: options.keep, replacedKeys: !options.sheetSaved },
        snapshot,
        existing,
      );
      return { snapshot, fresh: copied.fresh.bytes + stored.fresh, faults, pruned };
    } catch (error) {
      // The next run reuses what was copied.
      await place.settle().catch(() => {});
      throw error;
    } finally {
      await files.close();
    }
  } finally {
    await deleteCopy();
  }
}

/** Files named by name, when all of them are lost. */
const MOST_NAMED = 20;

async function describeLost(files: NamedFiles, lost: readonly string[]): Promise<string[]> {
  const messages: string[] = [];
  for (const id of lost.slice(0, MOST_NAMED))
    messages.push(
      `${await files.describe(id)} is missing in the vault. The backup keeps its copy, which a restore brings back.`,
    );
  if (lost.length > MOST_NAMED)
    messages.push(
      `${lost.length - MOST_NAMED} more stored files are missing in the vault. Is the disk with them mounted?`,
    );
  return messages;
}

async function describeLeftOut(files: NamedFiles, leftOut: readonly LeftOut[]): Promise<string[]> {
  const messages: string[] = [];
  for (const { id, why } of leftOut) messages.push(`${await files.describe(id)}: ${why}`);
  return messages;
}

import { createHash } from 'node:crypto';
import type { BlobStore } from '#storage/blobs.ts';
import type { ByteStore } from '#storage/bytes.ts';
import type { ListedBlob } from './blob-list.ts';
import { openSealed } from './copy-blobs.ts';
import { pieceFault } from './database-pieces.ts';
import { blobKey, pieceKey } from './layout.ts';
import type { RepositoryKeys } from './keys.ts';
import { isSigned, readBlobList, readSnapshots } from './manifest.ts';
import type { Place } from './place.ts';
import { ObjectLost } from './place.ts';

/** The number of nights in which everything is verified once. */
export const NIGHTS = 10;

interface ReadBackResult {
  /** The objects and bytes that were read back and compared. */
  objects: number;
  bytes: number;
  /** Damaged or missing objects that were restored from the vault. */
  mended: number;
  /** Messages about faults that could not be repaired. */
  faults: string[];
}

interface ReadBackOptions {
  place: Place;
  keys: RepositoryKeys;
  /** Which tenth to verify, from 0; left out for everything. */
  tenth?: number;
  /** The source of good copies. */
  vault?: { bytes: ByteStore; blobs: Pick<BlobStore, 'has'> };
  signal?: AbortSignal;
}

const isInTenth = (id: string, tenth: number | undefined): boolean =>
  tenth === undefined || Number.parseInt(id.slice(0, 8), 16) % NIGHTS === tenth;

/** Verifies a stored blob. @returns the fault; null if there is none. */
async function blobFault(
  place: Place,
  key: string,
  { id, bytes, sha256 }: ListedBlob,
): Promise<string | null> {
  const hash = createHash('sha256');
  let read = 0;
  try {
    for await (const chunk of place.stream(blobKey(key, id))) {
      hash.update(chunk);
      read += chunk.length;
    }
  } catch (error) {
    if (error instanceof ObjectLost) return error.fault;
    throw error;
  }
  if (read !== bytes) return `has ${read} bytes instead of ${bytes}`;
  return hash.digest('hex') === sha256 ? null : 'is damaged';
}

/** Replaces a damaged copy by the vault's own file. @returns whether that has the bytes that were backed up. */
async function repair(
  { place, keys, vault }: ReadBackOptions,
  { id, bytes, sha256 }: ListedBlob,
): Promise<boolean> {
  if (!vault || !(await vault.blobs.has(id))) return false;
  const sealed = await openSealed(vault.bytes, id);
  try {
    for await (const chunk of sealed.chunks) void chunk;
    if (sealed.bytes !== bytes || sealed.sum() !== sha256) return false;
  } finally {
    await sealed.close();
  }
  // The first stream was used up by the check.
  const copy = await openSealed(vault.bytes, id);
  await place.write(blobKey(keys.id, id), copy).finally(copy.close);
  await place.settle();
  return (await blobFault(place, keys.id, { id, bytes, sha256 })) === null;
}

/**
 * Reads back a tenth of all snapshots, or everything, and compares it with the recorded hashes. A damaged blob is restored from the vault if
 * possible; a damaged piece of the database is deleted, so that the next backup writes it again.
 */
export async function readBack(options: ReadBackOptions): Promise<ReadBackResult> {
  const { place, keys, tenth, signal } = options;
  const result: ReadBackResult = { objects: 0, bytes: 0, mended: 0, faults: [] };
  const { snapshots, unreadable } = await readSnapshots(place);
  for (const moment of unreadable) result.faults.push(`The manifest of the backup ${moment} is damaged.`);
  const checked = new Set<string>();
  /** Whether to check an object: each only once, although several snapshots refer to it. */
  const isToCheck = (name: string): boolean => {
    if (!isInTenth(name.slice(-32), tenth) || checked.has(name)) return false;
    checked.add(name);
    return true;
  };
  // The newest first, so that a fault is reported for the most important backup.
  for (const snapshot of snapshots.toReversed()) {
    const { moment, manifest } = snapshot;
    const hasOurKey = manifest.key === keys.id;
    if (hasOurKey && !isSigned(snapshot, keys)) {
      result.faults.push(`The manifest of the backup ${moment} was altered.`);
      continue;
    }
    const list = await readBlobList(place, snapshot);
    if (!list) result.faults.push(`The list of files of the backup ${moment} is damaged or missing.`);
    for (const blob of list ?? []) {
      if (!isToCheck(`${manifest.key} ${blob.id}`)) continue;
      signal?.throwIfAborted();
      const fault = await blobFault(place, manifest.key, blob);
      result.objects += 1;
      result.bytes += blob.bytes;
      if (!fault) continue;
      if (hasOurKey && (await repair(options, blob))) result.mended += 1;
      else result.faults.push(`The stored file ${blob.id} of the backup ${moment} ${fault}.`);
    }
    // Pieces that an old key sealed cannot be opened with this one.
    for (const name of hasOurKey ? manifest.database.pieces : []) {
      if (!isToCheck(`piece ${name}`)) continue;
      signal?.throwIfAborted();
      const fault = await pieceFault(place, keys, name);
      result.objects += 1;
      if (!fault) continue;
      // A second attempt distinguishes damage from a failed read.
      if ((await pieceFault(place, keys, name)) === null) continue;
      await place.delete(pieceKey(keys.id, name));
      result.faults.push(`A piece of the database of the backup ${moment} ${fault}.`);
    }
  }
  return result;
}

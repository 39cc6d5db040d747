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
import { ObjectMissing } from './place.ts';

/** The number of nights in which everything is verified once. */
export const NIGHTS = 10;

export interface Proof {
  /** The objects and bytes that were read back and compared. */
  objects: number;
  bytes: number;
  /** Damaged or missing objects that were restored from the vault. */
  mended: number;
  /** Messages about faults that could not be repaired. */
  faults: string[];
}

export interface Proving {
  place: Place;
  keys: RepositoryKeys;
  /** Which tenth to verify, from 0; left out for everything. */
  tenth?: number;
  /** The source of good copies. */
  vault?: { bytes: ByteStore; blobs: Pick<BlobStore, 'has'> };
  signal?: AbortSignal;
}

const isIn = (id: string, tenth: number | undefined): boolean =>
  tenth === undefined || Number.parseInt(id.slice(0, 8), 16) % NIGHTS === tenth;

/** Verifies a stored blob. @returns the fault; null if there is none. */
export async function blobFault(
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
    if (error instanceof ObjectMissing) return 'is missing';
    throw error;
  }
  if (read !== bytes) return `has ${read} bytes instead of ${bytes}`;
  return hash.digest('hex') === sha256 ? null : 'is damaged';
}

/** Replaces a damaged copy by the vault's own file. @returns whether that has the bytes that were backed up. */
async function mend({ place, keys, vault }: Proving, { id, bytes, sha256 }: ListedBlob): Promise<boolean> {
  if (!vault || !(await vault.blobs.has(id))) return false;
  const sealed = await openSealed(vault.bytes, id);
  try {
    for await (const chunk of sealed.chunks) void chunk;
    if (sealed.bytes !== bytes || sealed.sum() !== sha256) return false;
  } finally {
    await sealed.close();
  }
  const again = await openSealed(vault.bytes, id);
  await place.write(blobKey(keys.id, id), again).finally(again.close);
  await place.settle();
  return (await blobFault(place, keys.id, { id, bytes, sha256 })) === null;
}

/**
 * Reads back a tenth of all snapshots, or everything, and compares it with the recorded hashes. A damaged blob is restored from the vault if
 * possible; a damaged piece of the database is deleted, so that the next backup writes it again.
 */
export async function prove(proving: Proving): Promise<Proof> {
  const { place, keys, tenth, signal } = proving;
  const proof: Proof = { objects: 0, bytes: 0, mended: 0, faults: [] };
  const { snapshots, unreadable } = await readSnapshots(place);
  for (const moment of unreadable) proof.faults.push(`The manifest of the backup ${moment} is damaged.`);
  const seen = new Set<string>();
  const once = (name: string): boolean => {
    if (!isIn(name.slice(-32), tenth) || seen.has(name)) return false;
    seen.add(name);
    return true;
  };
  // The newest first, so that a fault is reported for the most important backup.
  for (const snapshot of snapshots.toReversed()) {
    const { moment, manifest } = snapshot;
    const own = manifest.key === keys.id;
    if (own && !isSigned(snapshot, keys)) {
      proof.faults.push(`The manifest of the backup ${moment} was altered.`);
      continue;
    }
    const list = await readBlobList(place, snapshot);
    if (!list) proof.faults.push(`The list of files of the backup ${moment} is damaged or missing.`);
    for (const blob of list ?? []) {
      if (!once(`${manifest.key} ${blob.id}`)) continue;
      signal?.throwIfAborted();
      const fault = await blobFault(place, manifest.key, blob);
      proof.objects += 1;
      proof.bytes += blob.bytes;
      if (!fault) continue;
      if (own && (await mend(proving, blob))) proof.mended += 1;
      else proof.faults.push(`The stored file ${blob.id} of the backup ${moment} ${fault}.`);
    }
    // Pieces that an old key sealed cannot be opened with this one.
    for (const name of own ? manifest.database.pieces : []) {
      if (!once(`piece ${name}`)) continue;
      signal?.throwIfAborted();
      const fault = await pieceFault(place, keys, name);
      proof.objects += 1;
      if (!fault) continue;
      // A second attempt distinguishes damage from a failed read.
      if ((await pieceFault(place, keys, name)) === null) continue;
      await place.delete(pieceKey(keys.id, name));
      proof.faults.push(`A piece of the database of the backup ${moment} ${fault}.`);
    }
  }
  return proof;
}

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

/** In so many nights all is proven. */
export const NIGHTS = 10;

export interface Proof {
  /** Objects and bytes that were read back and compared. */
  objects: number;
  bytes: number;
  /** Damaged or missing, and put right from the vault. */
  mended: number;
  /** What is wrong and could not be put right, in words. */
  faults: string[];
}

export interface Proving {
  place: Place;
  keys: RepositoryKeys;
  /** Which tenth, from 0 on; left out, all of it. */
  tenth?: number;
  /** Where a good copy may be had. */
  vault?: { bytes: ByteStore; blobs: Pick<BlobStore, 'has'> };
  signal?: AbortSignal;
}

const isIn = (id: string, tenth: number | undefined): boolean =>
  tenth === undefined || Number.parseInt(id.slice(0, 8), 16) % NIGHTS === tenth;

/** What is wrong with a stored blob; null when it is as it was. */
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

/** Puts the vault's own copy in the place of a damaged one. @returns whether it has the same bytes as were backed up. */
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
 * Reads back a tenth of all bytes of all snapshots, or everything, and compares it with what was written. A damaged blob is put
 * right from the vault where that has it; a damaged piece of the database is removed, so that the next night can write it anew.
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
  // The newest first, so that a fault is told of the backup that is missed most.
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
    // What an old key has sealed opens with that alone.
    for (const name of own ? manifest.database.pieces : []) {
      if (!once(`piece ${name}`)) continue;
      signal?.throwIfAborted();
      const fault = await pieceFault(place, keys, name);
      proof.objects += 1;
      if (!fault) continue;
      // A second look tells damage from a read that went wrong.
      if ((await pieceFault(place, keys, name)) === null) continue;
      await place.delete(pieceKey(keys.id, name));
      proof.faults.push(`A piece of the database of the backup ${moment} ${fault}.`);
    }
  }
  return proof;
}

import type { KeepRule } from './keep.ts';
import { keptBy } from './keep.ts';
import { blobKey, blobsIn, keyIdsIn, pieceKey, piecesIn } from './layout.ts';
import type { Snapshot } from './manifest.ts';
import { dropSnapshot, readBlobList, readSnapshots } from './manifest.ts';
import type { Place } from './place.ts';

const AT_ONCE = 8;

export interface Pruned {
  snapshots: number;
  blobs: number;
  pieces: number;
  /** Snapshots that cannot be read. While there are any, no blob and no piece is deleted. */
  unreadable: string[];
}

/**
 * Deletes the snapshots that the retention rule no longer keeps, and then the blobs and pieces that no remaining snapshot refers to.
 * @param latest is always kept: after the clock was set back it may not appear to be the newest.
 * @param there the objects of the key of `latest` in the place, if they are known.
 */
export async function prune(
  place: Place,
  rule: KeepRule,
  latest: Snapshot,
  there?: { blobs: Iterable<string>; pieces: Iterable<string> },
): Promise<Pruned> {
  const { snapshots, unreadable } = await readSnapshots(place);
  const kept = keptBy(rule, snapshots);
  const stays = (one: Snapshot): boolean => kept.has(one) || one.moment === latest.moment;
  const leaving = snapshots.filter((one) => !stays(one));
  for (const one of leaving) await dropSnapshot(place, one);
  const pruned: Pruned = { snapshots: leaving.length, blobs: 0, pieces: 0, unreadable: [...unreadable] };
  if (unreadable.length > 0) return pruned;

  const left = snapshots.filter(stays);
  for (const key of await keyIdsIn(place)) {
    const ofKey = left.filter(({ manifest }) => manifest.key === key);
    const known = key === latest.manifest.key ? there : undefined;
    const blobs = new Set(known?.blobs ?? (await blobsIn(place, key)));
    const pieces = new Set(known?.pieces ?? (await piecesIn(place, key)));
    // The newest first, since it refers to most of them, and often to all.
    for (const one of ofKey.toReversed()) {
      for (const name of one.manifest.database.pieces) pieces.delete(name);
      if (blobs.size === 0) continue;
      const list = await readBlobList(place, one);
      if (!list) pruned.unreadable.push(one.moment);
      else for (let at = 0; at < list.count; at += 1) blobs.delete(list.idAt(at));
    }
    if (pruned.unreadable.length > 0) return pruned;
    const unnamed = [...blobs]
      .map((id) => blobKey(key, id))
      .concat([...pieces].map((name) => pieceKey(key, name)));
    for (let at = 0; at < unnamed.length; at += AT_ONCE)
      await Promise.all(unnamed.slice(at, at + AT_ONCE).map((one) => place.delete(one)));
    pruned.blobs += blobs.size;
    pruned.pieces += pieces.size;
  }
  return pruned;
}

import type { KeepRule } from './retention-rule.ts';
import { keptBy } from './retention-rule.ts';
import { blobKey, blobsIn, keyIdsIn, pieceKey, piecesIn } from './layout.ts';
import type { Snapshot } from './manifest.ts';
import { deleteSnapshot, readBlobList, readSnapshots } from './manifest.ts';
import type { Place } from './place.ts';

const AT_ONCE = 8;

export interface Pruned {
  snapshots: number;
  blobs: number;
  pieces: number;
  /** Snapshots dated after the latest, since the clock was ahead when they were made. */
  ahead: string[];
  /** Snapshots that cannot be read. While there are any, no blob and no piece is deleted. */
  unreadable: string[];
}

interface Retention {
  rule: KeepRule;
  /** Keeps the newest snapshot of each replaced key too: nobody may have the key of the latest yet but the server. */
  replacedKeys: boolean;
}

/** The newest snapshot of each key but that of `latest`. */
function newestOfReplaced(snapshots: readonly Snapshot[], latest: Snapshot): Set<Snapshot> {
  const newest = new Map(snapshots.map((snapshot) => [snapshot.manifest.key, snapshot]));
  newest.delete(latest.manifest.key);
  return new Set(newest.values());
}

/**
 * Deletes the snapshots that the retention rule no longer keeps, and then the blobs and pieces that no remaining snapshot refers to.
 * @param latest the snapshot just made. Those dated after it are kept.
 * @param existing the objects of the key of `latest` in the place, if they are known.
 */
export async function prune(
  place: Place,
  { rule, replacedKeys }: Retention,
  latest: Snapshot,
  existing?: { blobs: Iterable<string>; pieces: Iterable<string> },
): Promise<Pruned> {
  const { snapshots, unreadable } = await readSnapshots(place);
  const kept = keptBy(rule, snapshots, { until: latest.at });
  const ofReplaced = replacedKeys ? newestOfReplaced(snapshots, latest) : new Set<Snapshot>();
  const isKept = (snapshot: Snapshot): boolean =>
    kept.has(snapshot) || ofReplaced.has(snapshot) || snapshot.moment === latest.moment;
  const expired = snapshots.filter((snapshot) => !isKept(snapshot));
  for (const snapshot of expired) await deleteSnapshot(place, snapshot);
  const ahead = snapshots.filter(({ at }) => at > latest.at).map(({ moment }) => moment);
  const pruned: Pruned = {
    snapshots: expired.length,
    blobs: 0,
    pieces: 0,
    ahead,
    unreadable: [...unreadable],
  };
  if (unreadable.length > 0) return pruned;

  const remaining = snapshots.filter(isKept);
  for (const key of await keyIdsIn(place)) {
    const ofKey = remaining.filter(({ manifest }) => manifest.key === key);
    const known = key === latest.manifest.key ? existing : undefined;
    const blobs = new Set(known?.blobs ?? (await blobsIn(place, key)));
    const pieces = new Set(known?.pieces ?? (await piecesIn(place, key)));
    // The newest first, since it refers to most of them, and often to all.
    for (const snapshot of ofKey.toReversed()) {
      for (const name of snapshot.manifest.database.pieces) pieces.delete(name);
      if (blobs.size === 0) continue;
      const list = await readBlobList(place, snapshot);
      if (!list) pruned.unreadable.push(snapshot.moment);
      else for (let index = 0; index < list.count; index += 1) blobs.delete(list.idAt(index));
    }
    if (pruned.unreadable.length > 0) return pruned;
    const unreferenced = [...blobs]
      .map((id) => blobKey(key, id))
      .concat([...pieces].map((name) => pieceKey(key, name)));
    for (let start = 0; start < unreferenced.length; start += AT_ONCE)
      await Promise.all(unreferenced.slice(start, start + AT_ONCE).map((path) => place.delete(path)));
    pruned.blobs += blobs.size;
    pruned.pieces += pieces.size;
  }
  return pruned;
}

import { blobLengths, piecesIn } from './layout.ts';
import type { RepositoryKeys } from './keys.ts';
import { isSigned, readBlobList, readSnapshots } from './manifest.ts';
import { readMarker } from './marker.ts';
import type { Place } from './place.ts';

interface Verified {
  snapshots: number;
  blobs: number;
  bytes: number;
  faults: string[];
}

/** Checks that all objects of the snapshots exist with the right length; `readBack` also reads them. */
export async function verifyRepository(place: Place, keys: RepositoryKeys | null): Promise<Verified> {
  const faults: string[] = [];
  if (!(await readMarker(place))) faults.push('The marker is missing: this is no place of backups.');
  const { snapshots, unreadable } = await readSnapshots(place);
  if (snapshots.length + unreadable.length === 0) faults.push(`There is no backup in ${place.address}.`);
  for (const moment of unreadable) faults.push(`The manifest of the backup ${moment} is damaged.`);
  const byKey = Map.groupBy(snapshots, ({ manifest }) => manifest.key);
  const verified: Verified = { snapshots: snapshots.length, blobs: 0, bytes: 0, faults };
  for (const [key, ofKey] of byKey) {
    const blobs = await blobLengths(place, key);
    const pieces = await piecesIn(place, key);
    for (const size of blobs.values()) verified.bytes += size;
    verified.blobs += blobs.size;
    for (const snapshot of ofKey) {
      const { moment, manifest } = snapshot;
      if (keys?.id === key && !isSigned(snapshot, keys))
        faults.push(`The manifest of the backup ${moment} was altered.`);
      const lost = manifest.database.pieces.filter((name) => !pieces.has(name)).length;
      if (lost > 0) faults.push(`${lost} pieces of the database of the backup ${moment} are missing.`);
      const list = await readBlobList(place, snapshot);
      if (!list) {
        faults.push(`The list of files of the backup ${moment} is damaged or missing.`);
        continue;
      }
      for (const { id, bytes } of list) {
        const stored = blobs.get(id);
        if (stored === undefined) faults.push(`The stored file ${id} of the backup ${moment} is missing.`);
        else if (stored !== bytes)
          faults.push(
            `The stored file ${id} of the backup ${moment} has ${stored} bytes instead of ${bytes}.`,
          );
      }
    }
  }
  return verified;
}

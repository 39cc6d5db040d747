import { createHash } from 'node:crypto';
import type { ByteStore } from '#storage/bytes.ts';
import type { BlobList, ListedBlob } from './blob-list.ts';
import { fetchDatabase } from './database-pieces.ts';
import { blobKey } from './layout.ts';
import type { RepositoryKeys } from './keys.ts';
import type { Snapshot } from './manifest.ts';
import { isSigned, readBlobList } from './manifest.ts';
import { PAUSES, patiently } from './patience.ts';
import type { Place } from './place.ts';
import { ObjectLost, PlaceRefused } from './place.ts';

const AT_ONCE = 4;
/** The size of an object's header, which a store writes last. */
const HEAD = 64;

/** The manifest or the list of files of a snapshot was altered or is damaged. */
export class SnapshotDamaged extends PlaceRefused {
  override name = 'SnapshotDamaged';
}

/**
 * The verified blob list of a snapshot.
 * @param pauses between tries while the place is away, in milliseconds.
 * @throws {SnapshotDamaged} if the manifest or the list was altered or is incomplete.
 */
export async function verifiedBlobList(
  place: Place,
  keys: RepositoryKeys,
  snapshot: Snapshot,
  pauses: readonly number[] = PAUSES,
): Promise<BlobList> {
  if (!isSigned(snapshot, keys))
    throw new SnapshotDamaged(
      `The manifest of the backup ${snapshot.moment} was altered or damaged. Take another backup.`,
    );
  const list = await patiently(pauses, () => readBlobList(place, snapshot));
  if (list) return list;
  throw new SnapshotDamaged(
    `The list of files of the backup ${snapshot.moment} is damaged or missing. Take another backup.`,
  );
}

/** Copies a sealed blob into a store and verifies it. @returns the fault; null if there is none. */
async function fetchBlob(
  place: Place,
  key: string,
  to: ByteStore,
  { id, bytes, sha256 }: ListedBlob,
): Promise<string | null> {
  const head = Buffer.alloc(Math.min(HEAD, bytes));
  const writer = to.create(id, head.length);
  const hash = createHash('sha256');
  let read = 0;
  try {
    for await (const chunk of place.stream(blobKey(key, id))) {
      hash.update(chunk);
      const headBytes = Math.max(0, Math.min(head.length - read, chunk.length));
      chunk.copy(head, read, 0, headBytes);
      if (chunk.length > headBytes) await writer.write([chunk.subarray(headBytes)]);
      read += chunk.length;
    }
    if (read !== bytes || hash.digest('hex') !== sha256) {
      await writer.abort();
      return 'is damaged in the backup';
    }
    await writer.commit(head, []);
    return null;
  } catch (error) {
    await writer.abort();
    if (error instanceof ObjectLost) return `${error.fault} in the backup`;
    throw error;
  }
}

/**
 * Copies blobs of a snapshot into a store.
 * @param pauses between tries while the place is away, in milliseconds.
 * @returns the bytes copied, and messages about blobs that could not be. @throws {PlaceGone} after the last try.
 */
export async function fetchBlobs(
  place: Place,
  key: string,
  blobs: Iterable<ListedBlob>,
  to: ByteStore,
  pauses: readonly number[] = PAUSES,
): Promise<{ bytes: number; faults: string[] }> {
  const fetched = { bytes: 0, faults: [] as string[] };
  const source = blobs[Symbol.iterator]();
  async function work(): Promise<void> {
    for (let next = source.next(); !next.done; next = source.next()) {
      const { value } = next;
      const fault = await patiently(pauses, () => fetchBlob(place, key, to, value));
      if (fault) fetched.faults.push(`The stored file ${value.id} ${fault}.`);
      else fetched.bytes += value.bytes;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return fetched;
}

/** @see fetchDatabase */
export const restoreDatabase = (
  place: Place,
  keys: RepositoryKeys,
  { manifest }: Snapshot,
  file: string,
  pauses: readonly number[] = PAUSES,
): Promise<void> => fetchDatabase({ place, keys, pauses }, manifest.database, file);

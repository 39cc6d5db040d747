import { createHash } from 'node:crypto';
import { BlobList } from './blob-list.ts';
import type { RepositoryKeys } from './keys.ts';
import { isSignedWith } from './keys.ts';
import type { Place } from './place.ts';
import { ObjectUnreadable } from './place.ts';

/** The manifest of a snapshot; FORMAT.md defines its fields. */
interface Manifest {
  format: 1;
  vault: string;
  key: string;
  made_at: string;
  migration: string;
  database: { bytes: number; pieces: string[] };
  blobs: { count: number; bytes: number; sha256: string };
  files: { files: number; versions: number };
  left_out: string[];
}

/** A snapshot with a valid manifest. */
export interface Snapshot {
  /** The time of the snapshot: 2026-11-22T20-00-00Z. */
  moment: string;
  at: Date;
  manifest: Manifest;
  /** The signed line. */
  line: string;
  signature: string;
}

const FOLDER = 'snapshots/';
const MANIFEST = /^snapshots\/(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\/manifest$/;

const sha256 = (data: Buffer): string => createHash('sha256').update(data).digest('hex');
const manifestKey = (moment: string): string => `${FOLDER}${moment}/manifest`;
const listKey = (moment: string): string => `${FOLDER}${moment}/blobs`;
export const momentOf = (date: Date): string => `${date.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

interface Snapshots {
  /** Oldest first. */
  snapshots: Snapshot[];
  /** Names of snapshots whose manifest is damaged or was written by a newer version. */
  unreadable: string[];
}

const keysIn = async (place: Place): Promise<string[]> => (await Array.fromAsync(place.keys(FOLDER))).flat();

/** Null also for an object where the disk has a fault. */
const readIfReadable = (place: Place, key: string): Promise<Buffer | null> =>
  place.read(key).catch((error: unknown) => {
    if (error instanceof ObjectUnreadable) return null;
    throw error;
  });

export async function readSnapshots(place: Place): Promise<Snapshots> {
  const found: Snapshots = { snapshots: [], unreadable: [] };
  for (const key of await keysIn(place)) {
    const [, day, hour, minute, second] = MANIFEST.exec(key) ?? [];
    if (!day) continue;
    const date = new Date(`${day}T${hour}:${minute}:${second}Z`);
    const text = (await readIfReadable(place, key))?.toString('utf8') ?? '';
    const [line = '', signature = ''] = text.split('\n');
    const manifest = parse(line);
    if (manifest) found.snapshots.push({ moment: momentOf(date), at: date, manifest, line, signature });
    else found.unreadable.push(momentOf(date));
  }
  found.snapshots.sort((a, b) => a.at.getTime() - b.at.getTime());
  return found;
}

function parse(line: string): Manifest | null {
  try {
    const manifest = JSON.parse(line) as Manifest;
    const isValid =
      manifest.format === 1 &&
      Array.isArray(manifest.database?.pieces) &&
      typeof manifest.blobs?.sha256 === 'string';
    return isValid ? manifest : null;
  } catch {
    return null;
  }
}

export const isSigned = ({ line, signature }: Snapshot, keys: RepositoryKeys): boolean =>
  isSignedWith(keys, line, signature);

/** Writes a snapshot whose blobs and pieces are already durable. The snapshot exists once the promise resolves. */
export async function writeSnapshot(
  place: Place,
  keys: RepositoryKeys,
  { list, ...facts }: Omit<Manifest, 'format' | 'key' | 'blobs'> & { list: BlobList },
): Promise<Snapshot> {
  const date = new Date(facts.made_at);
  const moment = momentOf(date);
  const blobs = { count: list.count, bytes: list.bytes, sha256: sha256(list.data) };
  const manifest: Manifest = { format: 1, key: keys.id, ...facts, blobs };
  const line = JSON.stringify(manifest);
  const signature = keys.sign(line);
  await place.write(listKey(moment), list.data);
  await place.settle();
  await place.write(manifestKey(moment), Buffer.from(`${line}\n${signature}\n`));
  await place.settle();
  return { moment, at: date, manifest, line, signature };
}

/** @returns null if the list is missing or does not match the manifest. */
export async function readBlobList(place: Place, { moment, manifest }: Snapshot): Promise<BlobList | null> {
  const data = await readIfReadable(place, listKey(moment));
  return data && sha256(data) === manifest.blobs.sha256 ? new BlobList(data) : null;
}

/** Deletes a snapshot, its manifest first: without a manifest there is no snapshot. */
export async function deleteSnapshot(place: Place, { moment }: Pick<Snapshot, 'moment'>): Promise<void> {
  await place.delete(manifestKey(moment));
  await place.delete(listKey(moment));
}

/** Deletes the lists of snapshots whose manifest was never written. */
export async function deleteUnfinished(place: Place): Promise<void> {
  const [lists, manifests] = [new Set<string>(), new Set<string>()];
  for (const key of await keysIn(place)) {
    const [, moment, what] = key.split('/');
    if (what === 'blobs') lists.add(moment!);
    if (what === 'manifest') manifests.add(moment!);
  }
  for (const moment of lists) if (!manifests.has(moment)) await place.delete(listKey(moment));
}

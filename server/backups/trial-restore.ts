import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '#storage/blobs.ts';
import { SnapshotDamaged, fetchBlobs, restoreDatabase, verifiedBlobList } from './repository/restore.ts';
import type { BlobList, ListedBlob } from './repository/blob-list.ts';
import { PieceLost } from './repository/database-pieces.ts';
import type { Snapshot } from './repository/manifest.ts';
import type { Place } from './repository/place.ts';
import type { Vault } from './vault.ts';

/** The limits of the sample of files that is restored. */
const SAMPLE = { files: 200, bytes: 256 * 1024 * 1024 };

interface SampledFile {
  blob_id: string;
  file_size: number;
  sha256: string;
  /** A message for display. */
  name: string;
}

/** Checks of a restored database. */
export interface TrialDatabase {
  /** @returns messages about faults. */
  faults(file: string, migration: string): Promise<string[]>;
  count(file: string): Promise<{ files: number; versions: number }>;
  /** Chooses random files. */
  sample(file: string, most: number): Promise<SampledFile[]>;
  /** @returns the fault of a file's bytes; null if they equal the upload. */
  read(blobs: BlobStore, file: SampledFile): Promise<string | null>;
}

/** Restores the database and a sample of files of a snapshot into a temporary folder, and verifies them. */
export async function tryRestore({
  place,
  vault,
  snapshot,
  database,
}: {
  place: Place;
  vault: Vault;
  snapshot: Snapshot;
  database: TrialDatabase;
}): Promise<{ files: number; sample: number; bytes: number; faults: string[] }> {
  const folder = join(vault.scratch, 'trial');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const file = join(folder, 'trial.sqlite');
    const { manifest } = snapshot;
    let list: BlobList;
    try {
      list = await verifiedBlobList(place, vault.keys, snapshot);
      await restoreDatabase(place, vault.keys, snapshot, file);
    } catch (error) {
      if (!(error instanceof PieceLost || error instanceof SnapshotDamaged)) throw error;
      return { files: manifest.files.files, sample: 0, bytes: 0, faults: [error.message] };
    }
    const faults = await database.faults(file, manifest.migration);
    const { files, versions } = await database.count(file);
    if (files !== manifest.files.files || versions !== manifest.files.versions)
      faults.push(
        `The database names ${files} files and ${versions} versions, but the manifest ${manifest.files.files} and ${manifest.files.versions}.`,
      );
    const blobs: ListedBlob[] = [];
    const sampled: SampledFile[] = [];
    let bytesLeft = SAMPLE.bytes;
    for (const candidate of await database.sample(file, SAMPLE.files)) {
      const blob = list.find(candidate.blob_id);
      if (!blob) {
        if (!manifest.left_out.includes(candidate.blob_id))
          faults.push(`${candidate.name} is not in the backup.`);
        continue;
      }
      // A file of several parts is larger than its own blob; such files are skipped.
      if (candidate.file_size > bytesLeft || blob.bytes < candidate.file_size) continue;
      bytesLeft -= blob.bytes;
      blobs.push(blob);
      sampled.push(candidate);
    }
    const store = await vault.openStore(folder);
    const fetched = await fetchBlobs(place, vault.keys.id, blobs, store.bytes);
    faults.push(...fetched.faults);
    for (const sample of sampled) {
      const fault = await database.read(store.blobs, sample);
      if (fault) faults.push(`${sample.name} ${fault}`);
    }
    return { files, sample: sampled.length, bytes: fetched.bytes, faults };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from './blobs.ts';
import { openDiskBytes } from './disk.ts';
import type { KeySource } from './keys.ts';
import { loadMasterKey } from './keys.ts';
import { createSealedBlobs } from './sealed.ts';

export interface BlobStoreOptions extends KeySource {
  /** False for a tool that runs beside a serving process: leaves its unfinished uploads alone. */
  clean?: boolean;
}

export interface OpenedBlobStore {
  blobs: BlobStore;
  /** 32 bytes that stay the same as long as the master key does, for signing cookies and links. */
  secret: Buffer;
  /** The path of a master key that was made just now: ask the admin to keep a copy elsewhere. */
  keyMadeAt?: string;
  /** The folder was made with a key that could be guessed: ask the admin to replace it. */
  weakKey: boolean;
}

export const blobsPath = (dataDir: string): string => join(dataDir, 'blobs');

/** Whether any sealed file is there, without making or changing anything. */
async function holdsBlobs(dataDir: string): Promise<boolean> {
  const root = blobsPath(dataDir);
  const folders = await readdir(root).catch((error: NodeJS.ErrnoException) => {
    // Anything but "not there" may hide blobs, and a new key must not be made beside them.
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const folder of folders) {
    if (/^[0-9a-f]{2}$/.test(folder) && (await readdir(join(root, folder))).length > 0) return true;
  }
  return false;
}

/**
 * Opens the sealed blobs under `dataDir`, as FORMAT.md describes; on a fresh folder makes what is
 * needed. One serving process a folder: what others left half-written is removed.
 * @throws {KeyRefused} before anything is touched, when the master key is missing, short or wrong.
 */
export async function openBlobStore({ clean = true, ...source }: BlobStoreOptions): Promise<OpenedBlobStore> {
  const { master, madeAt } = await loadMasterKey(source, () => holdsBlobs(source.dataDir));
  const blobs = createSealedBlobs(await openDiskBytes({ root: blobsPath(source.dataDir), clean }), master);
  const { serverSecret: secret, weak: weakKey } = master;
  return { blobs, secret, weakKey, ...(madeAt !== undefined && { keyMadeAt: madeAt }) };
}

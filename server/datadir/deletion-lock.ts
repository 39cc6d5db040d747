import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Processes } from '#server/db/processes.ts';
import { lockFile } from './lock.ts';

const LOCK_FILE = 'deletions.sqlite';
const RETRY_MS = 50;

/** A lock shared by all processes of a vault. It is left out if only one process can serve the vault. */
export type TryLock = Processes['tryLock'];

type Release = () => Promise<void>;

/**
 * Takes an exclusive lock on the vault: a lock file in the data folder, which commands beside a server take as well, and, if several
 * processes serve the vault, a lock shared by them. Both are released when their process ends.
 * @returns a function that releases it; null while another holder has it.
 */
export async function tryExclusiveLock(
  dataDir: string,
  name: string,
  tryLock?: TryLock,
): Promise<Release | null> {
  const releaseFile = await lockFile(join(dataDir, name));
  if (!releaseFile || !tryLock) return releaseFile;
  const releaseShared = await tryLock(name).catch(async (error: unknown) => {
    await releaseFile();
    throw error;
  });
  if (releaseShared) return () => releaseShared().finally(releaseFile);
  await releaseFile();
  return null;
}

/**
 * Keeps every process from deleting blobs of this vault, while they are being copied. The lock is released when its process ends.
 * @param how `patience`: how long to wait for another holder, in ms.
 * @returns a function that releases it; null if another holder kept it for so long.
 */
export async function withoutDeletions(
  dataDir: string,
  { patience = 0, tryLock }: { patience?: number; tryLock?: TryLock | undefined } = {},
): Promise<Release | null> {
  const deadline = performance.now() + patience;
  for (;;) {
    const release = await tryExclusiveLock(dataDir, LOCK_FILE, tryLock);
    if (release || performance.now() >= deadline) return release;
    await wait(RETRY_MS);
  }
}

/** Runs `work` under the deletion lock. Resolves with undefined, without running it, while another holder has the lock. */
export type DeletionLock = <T>(work: () => Promise<T>) => Promise<T | undefined>;

export const deletionLockOf =
  (dataDir: string, tryLock?: TryLock): DeletionLock =>
  async (work) => {
    const release = await withoutDeletions(dataDir, { tryLock });
    if (!release) return undefined;
    try {
      return await work();
    } finally {
      await release();
    }
  };

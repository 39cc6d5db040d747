import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Processes } from '#server/db/processes.ts';
import { lockFile } from './lock.ts';

const HOLD = 'deletions.sqlite';

const AGAIN = 50;

/**
 * Keeps stored bytes where they are while they are being copied: until the hold is released nobody deletes a blob of
 * this data folder, in this process or another. A hold ends with its process, however that ends.
 * @param patience how long to wait for another who has it, in milliseconds.
 * @returns what releases it; null when someone else kept it.
 */
export async function withoutDeletions(dataDir: string, patience = 0): Promise<(() => Promise<void>) | null> {
  const until = performance.now() + patience;
  for (;;) {
    const release = await lockFile(join(dataDir, HOLD));
    if (release || performance.now() >= until) return release;
    await wait(AGAIN);
  }
}

/** Runs `work` while nobody else holds the deletions; undefined, and nothing done, when somebody does. */
export type DeletionLock = <T>(work: () => Promise<T>) => Promise<T | undefined>;

/** With files that several processes have in one bucket, none of them either. */
export const deletionLockOf =
  (dataDir: string, processes?: Pick<Processes, 'several' | 'turn'>): DeletionLock =>
  async (work) => {
    const releases: (() => Promise<void>)[] = [];
    try {
      for (const hold of [
        () => withoutDeletions(dataDir),
        ...(processes?.several ? [() => processes.turn(HOLD)] : []),
      ]) {
        const release = await hold();
        if (!release) return undefined;
        releases.push(release);
      }
      return await work();
    } finally {
      for (const release of releases) await release();
    }
  };

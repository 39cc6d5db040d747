import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Processes } from '#server/db/processes.ts';
import { lockFile } from './lock.ts';

const HOLD = 'deletions.sqlite';

const AGAIN = 50;

/** A turn among all processes of a vault whose files are in one bucket; left out where one folder holds them. */
export type Turn = Processes['turn'];

/**
 * Takes what one at a time may have in a vault: by a file in the data folder, which commands beside a server take as well, and
 * where several processes serve the vault by a turn among them. It ends with its process, however that ends.
 * @returns what releases it; null while another has it.
 */
export async function holdAlone(
  dataDir: string,
  name: string,
  turn?: Turn,
): Promise<(() => Promise<void>) | null> {
  const own = await lockFile(join(dataDir, name));
  if (!own || !turn) return own;
  const among = await turn(name).catch(async (error: unknown) => {
    await own();
    throw error;
  });
  if (!among) {
    await own();
    return null;
  }
  return () => among().finally(own);
}

/**
 * Keeps stored bytes where they are while they are being copied: until the hold is released nobody deletes a blob of
 * this vault, in this process or another. A hold ends with its process, however that ends.
 * @param how `patience`: how long to wait for another who has it, in milliseconds.
 * @returns what releases it; null when someone else kept it.
 */
export async function withoutDeletions(
  dataDir: string,
  { patience = 0, turn }: { patience?: number; turn?: Turn | undefined } = {},
): Promise<(() => Promise<void>) | null> {
  const until = performance.now() + patience;
  for (;;) {
    const release = await holdAlone(dataDir, HOLD, turn);
    if (release || performance.now() >= until) return release;
    await wait(AGAIN);
  }
}

/** Runs `work` while nobody else holds the deletions; undefined, and nothing done, when somebody does. */
export type DeletionLock = <T>(work: () => Promise<T>) => Promise<T | undefined>;

export const deletionLockOf =
  (dataDir: string, turn?: Turn): DeletionLock =>
  async (work) => {
    const release = await withoutDeletions(dataDir, { turn });
    if (!release) return undefined;
    try {
      return await work();
    } finally {
      await release();
    }
  };

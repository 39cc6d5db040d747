import { join } from 'node:path';
import { lockFile } from './lock.ts';

const HOLD = 'deletions.sqlite';

/**
 * Keeps stored bytes where they are while they are being copied: until the hold is released nobody deletes a blob of
 * this data folder, in this process or another. A hold ends with its process, however that ends.
 * @returns what releases it; null when someone else has it.
 */
export const holdDeletions = (dataDir: string): Promise<(() => Promise<void>) | null> =>
  lockFile(join(dataDir, HOLD));

/** Runs `work` while nobody else holds the deletions; undefined, and nothing done, when somebody does. */
export type Alone = <T>(work: () => Promise<T>) => Promise<T | undefined>;

export const aloneIn =
  (dataDir: string): Alone =>
  async (work) => {
    const release = await holdDeletions(dataDir);
    if (!release) return undefined;
    try {
      return await work();
    } finally {
      await release();
    }
  };

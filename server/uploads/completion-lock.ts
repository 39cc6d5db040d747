import { setTimeout as wait } from 'node:timers/promises';
import type { Processes } from '#server/db/processes.ts';
import { conflict } from '#server/http/errors.ts';

const RETRY_MS = 200;

export const beingCompleted = () => conflict('This file is being looked at. Please wait a moment.', 'taking');

/** A lock per upload, across processes: only one caller at a time completes or cancels it. */
export function createCompletionLock({ tryLock }: Pick<Processes, 'tryLock'>) {
  const acquire = (id: string) => tryLock(`end of upload ${id}`);
  return {
    /** @returns null without running `work` while another caller has the lock. */
    async runExclusive<T>(id: string, work: () => Promise<T>): Promise<T | null> {
      const release = await acquire(id);
      return release && work().finally(release);
    },

    /** Resolves once no other caller has the lock. */
    async waitUntilFree(id: string): Promise<void> {
      for (;;) {
        const release = await acquire(id);
        if (release) return release();
        await wait(RETRY_MS);
      }
    },
  };
}

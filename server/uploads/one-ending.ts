import { setTimeout as wait } from 'node:timers/promises';
import type { Processes } from '#server/db/processes.ts';
import { conflict } from '#server/http/errors.ts';

const LOOK_AGAIN = 200;

export const taking = () => conflict('This file is being looked at. Please wait a moment.', 'taking');

/** What ends an upload, by making its file or giving it up, is done by one at a time, in whichever process. */
export function createEndings({ tryLock }: Pick<Processes, 'tryLock'>) {
  const tryLockOf = (id: string) => tryLock(`end of upload ${id}`);
  return {
    /** @returns null, and nothing done, while another ends it. */
    async inTurn<T>(id: string, work: () => Promise<T>): Promise<T | null> {
      const release = await tryLockOf(id);
      return release && work().finally(release);
    },

    /** Waits for whoever is ending it. */
    async over(id: string): Promise<void> {
      for (;;) {
        const release = await tryLockOf(id);
        if (release) return release();
        await wait(LOOK_AGAIN);
      }
    },
  };
}

import type { Lock, Locker } from '@tus/server';

interface Holder {
  letGo: () => void;
  freed: Promise<void>;
}

/**
 * One request at a time for each upload. Who comes later asks the one before to let go, since that is most often a
 * connection which died without a word, and waits without looking again and again.
 */
export function createLocks(): Locker & { isHeld(id: string): boolean } {
  const holders = new Map<string, Holder>();

  return {
    isHeld: (id) => holders.has(id),
    newLock(id): Lock {
      let free: (() => void) | undefined;
      return {
        async lock(signal, letGo) {
          for (let holder = holders.get(id); holder; holder = holders.get(id)) {
            holder.letGo();
            await Promise.race([holder.freed, aborted(signal)]);
            signal.throwIfAborted();
          }
          const freed = new Promise<void>((resolve) => (free = resolve));
          holders.set(id, { letGo: () => void letGo(), freed });
        },
        async unlock() {
          holders.delete(id);
          free?.();
        },
      };
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

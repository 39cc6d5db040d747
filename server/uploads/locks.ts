import type { Lock, Locker } from '@tus/server';
import type { Processes } from '#server/db/processes.ts';

interface Holder {
  /** Whether it still waits for another process, and has nothing to let go of. */
  waits: boolean;
  letGo: () => void;
  freed: Promise<void>;
}

const lockName = (id: string): string => `request of upload ${id}`;

/**
 * One request at a time for each upload, in whichever process. Who comes later asks the one before to let go, since that is most
 * often a connection which died without a word, and waits without looking again and again.
 */
export function createLocks(
  processes: Pick<Processes, 'several' | 'tryLock' | 'publish' | 'subscribe'>,
): Locker {
  const holders = new Map<string, Holder>();
  /** Woken when another process may have released a lock. */
  const waiting = new Map<string, Set<() => void>>();

  processes.subscribe('wanted', (name) => {
    for (const [id, holder] of holders) if (lockName(id) === name && !holder.waits) holder.letGo();
  });
  processes.subscribe('free', (name) => {
    for (const wake of waiting.get(name) ?? []) wake();
  });

  /** Waits until the lock may be free, or for a while: a process that was killed publishes nothing. */
  async function freed(name: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const all = waiting.get(name) ?? new Set();
    waiting.set(name, all.add(resolve));
    const timer = setTimeout(resolve, LOOK_AGAIN);
    await Promise.race([promise, aborted(signal)]);
    clearTimeout(timer);
    all.delete(resolve);
    if (all.size === 0) waiting.delete(name);
  }

  /** Takes the lock among all processes, once it is free. */
  async function acquire(id: string, signal: AbortSignal): Promise<() => Promise<void>> {
    const name = lockName(id);
    for (;;) {
      const release = await processes.tryLock(name);
      if (release) return release;
      processes.publish('wanted', name);
      await freed(name, signal);
      signal.throwIfAborted();
    }
  }

  return {
    newLock(id): Lock {
      let free: (() => void) | undefined;
      let release: (() => Promise<void>) | undefined;
      return {
        async lock(signal, letGo) {
          for (let holder = holders.get(id); holder; holder = holders.get(id)) {
            holder.letGo();
            await Promise.race([holder.freed, aborted(signal)]);
            signal.throwIfAborted();
          }
          const freed = new Promise<void>((resolve) => (free = resolve));
          const own: Holder = { waits: processes.several, letGo: () => void letGo(), freed };
          holders.set(id, own);
          if (!processes.several) return;
          try {
            release = await acquire(id, signal);
            own.waits = false;
          } catch (error) {
            holders.delete(id);
            free?.();
            throw error;
          }
        },
        async unlock() {
          if (release) await release();
          holders.delete(id);
          free?.();
        },
      };
    },
  };
}

const LOOK_AGAIN = 500;

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

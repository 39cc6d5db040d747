import type { Lock, Locker } from '@tus/server';
import type { Processes } from '#server/db/processes.ts';

interface Holder {
  /** Still waiting for another process, so there is nothing to cancel yet. */
  waits: boolean;
  /** Asks the request to stop and to release its lock. */
  cancel: () => void;
  released: Promise<void>;
}

const lockName = (id: string): string => `request of upload ${id}`;

/**
 * Locks for `@tus/server`: one request per upload at a time, across processes. A new request asks the running one to
 * stop, since that is usually a dead connection, and waits for its release without polling.
 */
export function createLocks(
  processes: Pick<Processes, 'several' | 'tryLock' | 'publish' | 'subscribe'>,
): Locker {
  const holders = new Map<string, Holder>();
  /** Callbacks by lock name, called when another process may have released the lock. */
  const waiters = new Map<string, Set<() => void>>();

  processes.subscribe('wanted', (name) => {
    for (const [id, holder] of holders) if (lockName(id) === name && !holder.waits) holder.cancel();
  });
  processes.subscribe('free', (name) => {
    for (const wake of waiters.get(name) ?? []) wake();
  });

  /** Resolves on release, or after a timeout: a killed process sends no message. */
  async function waitForRelease(name: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const all = waiters.get(name) ?? new Set();
    waiters.set(name, all.add(resolve));
    const timer = setTimeout(resolve, RETRY_MS);
    await Promise.race([promise, aborted(signal)]);
    clearTimeout(timer);
    all.delete(resolve);
    if (all.size === 0) waiters.delete(name);
  }

  /** Acquires the lock that all processes share. @returns its release. */
  async function acquire(id: string, signal: AbortSignal): Promise<() => Promise<void>> {
    const name = lockName(id);
    for (;;) {
      const release = await processes.tryLock(name);
      if (release) return release;
      processes.publish('wanted', name);
      await waitForRelease(name, signal);
      signal.throwIfAborted();
    }
  }

  return {
    newLock(id): Lock {
      let resolveReleased: (() => void) | undefined;
      let release: (() => Promise<void>) | undefined;
      return {
        async lock(signal, cancel) {
          for (let holder = holders.get(id); holder; holder = holders.get(id)) {
            holder.cancel();
            await Promise.race([holder.released, aborted(signal)]);
            signal.throwIfAborted();
          }
          const released = new Promise<void>((resolve) => (resolveReleased = resolve));
          const thisHolder: Holder = { waits: processes.several, cancel: () => void cancel(), released };
          holders.set(id, thisHolder);
          if (!processes.several) return;
          try {
            release = await acquire(id, signal);
            thisHolder.waits = false;
          } catch (error) {
            holders.delete(id);
            resolveReleased?.();
            throw error;
          }
        },
        async unlock() {
          if (release) await release();
          holders.delete(id);
          resolveReleased?.();
        },
      };
    },
  };
}

const RETRY_MS = 500;

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

import { randomUUID } from 'node:crypto';
import { AppError } from '#server/http/errors.ts';
import type { SlotLimits } from './fair-slots.ts';
import { createFairSlots } from './fair-slots.ts';

export interface CoalescingLimits extends SlotLimits {
  /** The maximum of waiting requests of one firm. */
  waiting: number;
}

interface QueueRequest {
  firm_id: number;
  /** Requests of one firm with the same key share one run while it waits or runs. Without a key a request shares none. */
  key?: string;
  /** Aborted when the requester disconnects. Work whose requesters have all gone before it started is dropped. */
  requester?: AbortSignal | undefined;
}

interface Entry {
  id: number;
  firm_id: number;
  requesters: number;
  abort: AbortController;
  started: boolean;
  start(): void;
  drop(reason: Error): void;
  result: Promise<unknown>;
}

const stopping = () =>
  new AppError(503, 'stopping', 'The server is being restarted. Try again in a minute.', { retryAfter: 30 });
/** The error for a client that has closed its connection, and so never sees it. */
const requesterGone = () =>
  Object.assign(new Error('Whoever asked for it has gone.'), { code: 'ECONNABORTED' });

/**
 * A queue in memory for work that a request waits for, such as previews; fair between firms. It has no rows in the database: nobody needs
 * a preview that has scrolled out of view to survive a restart, and rows are expensive. A folder of ten thousand pictures would take
 * thirty thousand commits, about a quarter of the server's time for each picture, on the one connection that writes.
 */
export function createCoalescingQueue({ waiting: maxWaiting, ...limits }: CoalescingLimits) {
  const slots = createFairSlots(limits);
  const entries = new Map<string, Entry>();
  let lastId = 0;
  let open = true;

  const waiting = () => Array.from(entries.values()).filter(({ started }) => !started);

  function fillSlots(): void {
    for (let entry = slots.next(waiting()); open && entry; entry = slots.next(waiting())) {
      entry.started = true;
      slots.acquire(entry);
      entry.start();
    }
  }

  function add<T>(firm_id: number, name: string, work: (signal: AbortSignal) => Promise<T>): Entry {
    const { promise: slot, resolve: start, reject: drop } = Promise.withResolvers<void>();
    const abort = new AbortController();
    const entry: Entry = {
      id: (lastId += 1),
      firm_id,
      requesters: 0,
      abort,
      started: false,
      start,
      drop,
      result: slot
        .then(() => work(abort.signal))
        .finally(() => {
          entries.delete(name);
          if (entry.started) slots.release(entry);
          fillSlots();
        }),
    };
    // The requesters may have gone, and then nobody handles a rejection.
    entry.result.catch(() => {});
    entries.set(name, entry);
    return entry;
  }

  return {
    /**
     * Runs `work` when a slot is free, or joins the firm's run with the same `key`.
     * @throws {AppError} 503 if too many requests of the firm wait already, or the server is stopping.
     */
    async run<T>(
      { firm_id, key = randomUUID(), requester }: QueueRequest,
      work: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const name = `${firm_id} ${key}`;
      if (!open) throw stopping();
      if (requester?.aborted) throw requesterGone();
      if (!entries.has(name) && waiting().filter((entry) => entry.firm_id === firm_id).length >= maxWaiting)
        throw new AppError(503, 'busy', 'Too much is being made. Try again in a moment.', { retryAfter: 5 });
      const entry = entries.get(name) ?? add(firm_id, name, work);
      entry.requesters += 1;
      requester?.addEventListener('abort', () => {
        entry.requesters -= 1;
        if (entry.requesters === 0 && !entry.started) entry.drop(requesterGone());
      });
      fillSlots();
      return entry.result as Promise<T>;
    },

    /** Aborts running work and refuses the rest. */
    async stop(): Promise<void> {
      open = false;
      for (const entry of entries.values()) {
        entry.abort.abort(new Error('The server is stopping.'));
        if (!entry.started) entry.drop(stopping());
      }
      await Promise.allSettled(Array.from(entries.values(), ({ result }) => result));
    },

    start(): void {
      open = true;
    },
  };
}
export type CoalescingQueue = ReturnType<typeof createCoalescingQueue>;

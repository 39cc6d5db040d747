import { AppError } from '#server/http/errors.ts';
import type { Places } from './worker-pool.ts';
import { createWorkerPool } from './worker-pool.ts';

export interface CoalescingLimits extends Places {
  /** What one firm may have waiting. */
  waiting: number;
}

export interface Request {
  firm_id: number;
  /** Asked for again while it waits or runs, it is done once. */
  key: string;
  /** Whoever asks; when all have gone before it was begun, it is not done. */
  requester?: AbortSignal | undefined;
}

interface Asked {
  id: number;
  firm_id: number;
  requesters: number;
  abort: AbortController;
  begun: boolean;
  begin(): void;
  drop(reason: Error): void;
  result: Promise<unknown>;
}

const stopping = () =>
  new AppError(503, 'stopping', 'The server is being restarted. Try again in a minute.', { retryAfter: 30 });
/** The error of a connection that its client has closed; nobody is there to be answered. */
const gone = () => Object.assign(new Error('Whoever asked for it has gone.'), { code: 'ECONNABORTED' });

/**
 * Work that somebody waits for, in turn between firms. It has no rows: what a row is for, that the work is done also
 * after a restart and that one can see what came of it, nobody wants of a picture that has scrolled by. And it costs: a
 * folder of ten thousand pictures would be thirty thousand commits, for each picture about a quarter of the time that
 * the server itself spends on it, on the one connection that everybody else's requests wait for.
 */
export function createCoalescingQueue({ waiting: most, ...places }: CoalescingLimits) {
  const pool = createWorkerPool(places);
  const all = new Map<string, Asked>();
  let count = 0;
  let open = true;

  const waiting = () => Array.from(all.values()).filter(({ begun }) => !begun);

  function fill(): void {
    for (let one = pool.next(waiting()); open && one; one = pool.next(waiting())) {
      one.begun = true;
      pool.enter(one);
      one.begin();
    }
  }

  function add<T>({ firm_id, key }: Request, work: (signal: AbortSignal) => Promise<T>): Asked {
    const { promise: turn, resolve: begin, reject: drop } = Promise.withResolvers<void>();
    const abort = new AbortController();
    const asked: Asked = {
      id: (count += 1),
      firm_id,
      requesters: 0,
      abort,
      begun: false,
      begin,
      drop,
      result: turn
        .then(() => work(abort.signal))
        .finally(() => {
          all.delete(key);
          if (asked.begun) pool.leave(asked);
          fill();
        }),
    };
    // Nobody may be there to hear it.
    asked.result.catch(() => {});
    all.set(key, asked);
    return asked;
  }

  return {
    /**
     * Does `work` when its turn has come. One `key` stands for one kind of result.
     * @throws {AppError} 503 when too much of the firm's waits already, or the server is stopping.
     */
    async ask<T>(request: Request, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const { firm_id, key, requester } = request;
      if (!open) throw stopping();
      if (requester?.aborted) throw gone();
      if (!all.has(key) && waiting().filter((one) => one.firm_id === firm_id).length >= most)
        throw new AppError(503, 'busy', 'Too much is being made. Try again in a moment.', { retryAfter: 5 });
      const asked = all.get(key) ?? add(request, work);
      asked.requesters += 1;
      requester?.addEventListener('abort', () => {
        asked.requesters -= 1;
        if (asked.requesters === 0 && !asked.begun) asked.drop(gone());
      });
      fill();
      return asked.result as Promise<T>;
    },

    /** Interrupts what runs and refuses the rest. */
    async stop(): Promise<void> {
      open = false;
      for (const one of all.values()) {
        one.abort.abort(new Error('The server is stopping.'));
        if (!one.begun) one.drop(stopping());
      }
      await Promise.allSettled(Array.from(all.values(), ({ result }) => result));
    },

    start(): void {
      open = true;
    },
  };
}
export type CoalescingQueue = ReturnType<typeof createCoalescingQueue>;

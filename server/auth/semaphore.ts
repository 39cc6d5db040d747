import { AppError } from '#server/http/errors.ts';

/**
 * Lets at most `atOnce` pieces of work run together and at most `waiting` queue behind them, in order.
 * The returned function rejects with 503 when the queue is full, and otherwise as the work does.
 */
export function createSemaphore({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const queue: (() => void)[] = [];
  let running = 0;

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running += 1;
    else if (queue.length < waiting) await new Promise<void>((resolve) => queue.push(resolve));
    else {
      throw new AppError(
        503,
        'busy',
        'Too many people are signing in right now. Try again in a few seconds.',
        {
          retryAfter: 5,
        },
      );
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      // The place passes on without being free in between, or a newcomer could take it too.
      if (next) next();
      else running -= 1;
    }
  };
}

import { AppError } from '#server/http/errors.ts';

/**
 * A FIFO semaphore with `permits` permits and at most `maxWaiting` waiting tasks. The returned function rejects with
 * 503 when the queue is full, and otherwise settles as `work` does.
 */
export function createSemaphore({ permits, maxWaiting }: { permits: number; maxWaiting: number }) {
  const queue: (() => void)[] = [];
  let running = 0;

  return async function withPermit<T>(work: () => Promise<T>): Promise<T> {
    if (running < permits) running += 1;
    else if (queue.length < maxWaiting) await new Promise<void>((resolve) => queue.push(resolve));
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
      // Hand the permit over directly: a freed permit could be taken by a new caller in between.
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * A FIFO semaphore with `permits` permits.
 * @param limit at most `maxWaiting` tasks wait; others are refused with the error. By default any number waits.
 */
export function createSemaphore(permits: number, limit?: { maxWaiting: number; refusal: () => Error }) {
  const queue: (() => void)[] = [];
  let acquired = 0;

  const release = (): void => {
    const next = queue.shift();
    // Hand the permit over directly: a freed permit could be taken by a new caller in between.
    if (next) next();
    else acquired -= 1;
  };

  /** Waits for a permit. @returns a function that releases it. */
  async function acquire(): Promise<() => void> {
    if (acquired < permits) acquired += 1;
    else if (limit && queue.length >= limit.maxWaiting) throw limit.refusal();
    else await new Promise<void>((resolve) => queue.push(resolve));
    return release;
  }

  return {
    acquire,

    /** The length of the queue. */
    waiting: () => queue.length,

    /** Runs `work` with a permit, and settles as it does. */
    async run<T>(work: () => Promise<T>): Promise<T> {
      await acquire();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
export type Semaphore = ReturnType<typeof createSemaphore>;

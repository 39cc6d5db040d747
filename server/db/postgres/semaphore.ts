/** A FIFO semaphore with `permits` permits. */
export function createSemaphore(permits: number) {
  const queue: (() => void)[] = [];
  let acquired = 0;
  const release = (): void => {
    const next = queue.shift();
    if (next) next();
    else acquired -= 1;
  };
  return {
    /** The length of the queue. */
    waiting: () => queue.length,
    /** Waits for a permit. @returns a function that releases it. */
    async acquire(): Promise<() => void> {
      if (acquired < permits) acquired += 1;
      else await new Promise<void>((resolve) => queue.push(resolve));
      return release;
    },
  };
}
export type Semaphore = ReturnType<typeof createSemaphore>;

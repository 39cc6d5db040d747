import { setImmediate as turn } from 'node:timers/promises';

/**
 * For loops that compute: returns a promise to wait for when the thread has been held for `every` milliseconds, so
 * that requests are answered in between, and undefined otherwise.
 */
export function createYielding(every = 8): () => Promise<void> | undefined {
  let last = performance.now();
  async function rest(): Promise<void> {
    await turn();
    last = performance.now();
  }
  return () => (performance.now() - last < every ? undefined : rest());
}

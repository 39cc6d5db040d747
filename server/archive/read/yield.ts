import { setImmediate as turn } from 'node:timers/promises';

/**
 * For long synchronous loops: the returned function gives a promise to await once `everyMs` have passed, so that other requests are
 * handled in between, and undefined before.
 */
export function createYielding(everyMs = 8): () => Promise<void> | undefined {
  let last = performance.now();
  async function rest(): Promise<void> {
    await turn();
    last = performance.now();
  }
  return () => (performance.now() - last < everyMs ? undefined : rest());
}

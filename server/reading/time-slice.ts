import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/** The longest that the server reads without a pause, in ms: then its jobs give way to each other. */
const SHIFT = 60_000;

/** @returns when a shift ends that begins now. */
export const endOfShift = (): number => performance.now() + SHIFT;

/** Reads what waits in the queue, one after another, until the shift ends. @returns how many were read. */
export async function readWaiting<One>(
  queue: { claim(): Promise<One | null>; unclaim(one: One): Promise<void> },
  read: (one: One, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  until = endOfShift(),
): Promise<number> {
  let count = 0;
  while (!signal.aborted && performance.now() < until) {
    const one = await queue.claim();
    if (!one) break;
    try {
      await read(one, signal);
    } catch (error) {
      // About this one nothing is known: the server stops, or its disk is full.
      await queue.unclaim(one).catch(() => {});
      throw error;
    }
    count += 1;
    // Whoever waits for an answer of the server comes between two of them.
    await wait(2);
  }
  return count;
}

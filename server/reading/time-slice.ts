import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';

/** A reading job works this long, then gives way to other jobs. */
const TIME_SLICE_MS = 60_000;
/** A pause between two files, so that waiting requests are handled. */
const PAUSE_MS = 2;

/** @returns when a time slice that starts now ends. */
export const endOfTimeSlice = (): number => performance.now() + TIME_SLICE_MS;

/** Reads what waits in a queue, one after another, until the time slice ends. @returns how many were read. */
export async function readWaiting<Claimed>(
  queue: { claim(): Promise<Claimed | null>; unclaim(claimed: Claimed): Promise<void> },
  read: (claimed: Claimed, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  until = endOfTimeSlice(),
): Promise<number> {
  let count = 0;
  while (!signal.aborted && performance.now() < until) {
    const claimed = await queue.claim();
    if (!claimed) break;
    try {
      await read(claimed, signal);
    } catch (error) {
      // The error says nothing about the file, such as a full disk or the server stopping.
      await queue.unclaim(claimed).catch(() => {});
      throw error;
    }
    count += 1;
    await wait(PAUSE_MS);
  }
  return count;
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds over which the speed is told. */
const WINDOW = 5000;
/** With a limit, no more at once than for this part of a second. */
const SLICE = 0.25;
const PIECE = 1024 * 1024;

/** Lets bytes go as fast as the limit allows, all uploads together, and tells how fast they go. */
export function createPace(limit: () => number, now: () => number = () => performance.now()) {
  const passed: [at: number, bytes: number][] = [];
  /** When the bytes that were let go so far are paid for. */
  let paidUntil = 0;

  const trim = () => {
    const from = now() - WINDOW;
    while (passed.length > 0 && passed[0]![0] < from) passed.shift();
  };
  return {
    /** Bytes that are good to read at once. */
    piece: () => (limit() > 0 ? Math.max(4096, Math.min(PIECE, Math.floor(limit() * SLICE))) : PIECE),
    /** Waits until `bytes` may go. */
    async pass(bytes: number, signal: AbortSignal): Promise<void> {
      const most = limit();
      if (most > 0) {
        const start = Math.max(now(), paidUntil);
        paidUntil = start + (bytes / most) * 1000;
        const wait = start - now();
        if (wait > 0) await sleep(wait, undefined, { signal });
      } else paidUntil = 0;
      signal.throwIfAborted();
      passed.push([now(), bytes]);
      trim();
    },
    /** Bytes a second. */
    speed(): number {
      trim();
      if (passed.length === 0) return 0;
      const bytes = passed.reduce((sum, [, one]) => sum + one, 0);
      return bytes / (Math.max(1000, now() - passed[0]![0]) / 1000);
    },
  };
}
export type Pace = ReturnType<typeof createPace>;

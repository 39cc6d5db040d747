import { setTimeout as sleep } from 'node:timers/promises';

/** Ms over which the speed is measured. */
const WINDOW_MS = 5000;
/** With a limit, the size of a piece corresponds to this part of a second. */
const PIECE_SECONDS = 0.25;
const MAX_PIECE_BYTES = 1024 * 1024;

/** Limits the total bandwidth of all uploads, and measures it. */
export function createPace(limit: () => number, now: () => number = () => performance.now()) {
  const passed: [at: number, bytes: number][] = [];
  /** When the bytes sent so far are within the limit. */
  let paidUntil = 0;

  const trim = () => {
    const from = now() - WINDOW_MS;
    while (passed.length > 0 && passed[0]![0] < from) passed.shift();
  };
  return {
    /** How many bytes to read per piece. */
    pieceSize: () =>
      limit() > 0
        ? Math.max(4096, Math.min(MAX_PIECE_BYTES, Math.floor(limit() * PIECE_SECONDS)))
        : MAX_PIECE_BYTES,
    /** Waits until `bytes` may be sent. */
    async throttle(bytes: number, signal: AbortSignal): Promise<void> {
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
    /** Bytes per second. */
    speed(): number {
      trim();
      if (passed.length === 0) return 0;
      const bytes = passed.reduce((sum, [, size]) => sum + size, 0);
      return bytes / (Math.max(1000, now() - passed[0]![0]) / 1000);
    },
  };
}
export type Pace = ReturnType<typeof createPace>;

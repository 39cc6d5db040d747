/** Milliseconds of a look at how busy the server is. */
const INTERVAL_MS = 20_000;
/** The share of an interval that a quiet server works: event streams, timers, a click now and then. */
const QUIET = 0.01;
/** Milliseconds of work after which there is enough memory to free, or a pause between two clicks would do. */
const ENOUGH_WORK_MS = 5000;

/** Decides when to free memory: once the server is quiet after much work, of which the start is the first. */
export function createIdleWatch() {
  let work = ENOUGH_WORK_MS;
  return {
    /** @param busy milliseconds of work in the last interval. @returns whether to free memory now. */
    isTimeToFree(busy: number): boolean {
      work += busy;
      if (busy > QUIET * INTERVAL_MS || work < ENOUGH_WORK_MS) return false;
      work = 0;
      return true;
    },
  };
}

/**
 * Returns memory to the system once the server is quiet. V8 keeps the memory of a busy hour until it is busy again: 40 MB
 * more, on a machine that a small firm uses for other programs too. Freeing takes 0.1 to 0.15 s, and the next page 0.02 s more.
 * Needs the flag --expose-gc of `tools/runtime.mjs`.
 */
export function freeMemoryWhenIdle(): { stop(): void } {
  const { gc } = globalThis;
  const watch = createIdleWatch();
  let last = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { active } = performance.eventLoopUtilization(now, last);
    last = now;
    // The last resort also drops compiled code that was not used lately.
    if (watch.isTimeToFree(active)) gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, INTERVAL_MS).unref();
  return { stop: () => clearInterval(timer) };
}

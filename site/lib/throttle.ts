interface Throttled {
  (): void;
  /** Cancels a pending trailing run. */
  cancel: () => void;
}

/** Throttles with a leading and a trailing run: immediately, then at most every `intervalMs`. */
export function throttle(run: () => void, intervalMs: number): Throttled {
  let nextRunAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const runNow = () => {
    timer = undefined;
    nextRunAt = Date.now() + intervalMs;
    run();
  };
  const call = () => {
    const remainingMs = nextRunAt - Date.now();
    if (remainingMs > 0) timer ??= setTimeout(runNow, remainingMs);
    else if (timer === undefined) runNow();
  };
  return Object.assign(call, { cancel: () => clearTimeout(timer) });
}

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
    const left = nextRunAt - Date.now();
    if (left > 0) timer ??= setTimeout(runNow, left);
    else if (timer === undefined) runNow();
  };
  return Object.assign(call, { cancel: () => clearTimeout(timer) });
}

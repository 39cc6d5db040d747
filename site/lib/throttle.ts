export interface Throttled {
  (): void;
  /** Nothing is run any more. */
  end: () => void;
}

/** Runs at the first call at once, then at most every so many milliseconds, and always once more after the last call. */
export function throttle(run: () => void, every: number): Throttled {
  let next = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    timer = undefined;
    next = Date.now() + every;
    run();
  };
  const call = () => {
    const left = next - Date.now();
    if (left > 0) timer ??= setTimeout(now, left);
    else if (timer === undefined) now();
  };
  return Object.assign(call, { end: () => clearTimeout(timer) });
}

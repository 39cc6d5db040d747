import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/**
 * The server's clock in milliseconds, advanced in the browser each minute, so that relative times stay right in a long
 * session. It begins with `now`, when the server rendered the page: a wrong browser clock does not change the texts.
 */
export function useClock(now: number): number {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    // Unlike `performance.now()`, this also counts the time that a laptop sleeps.
    const startedAt = Date.now();
    const timer = setInterval(() => setElapsed(Date.now() - startedAt), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now + elapsed;
}

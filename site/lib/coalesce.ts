/**
 * Coalesces calls: the first runs `run` immediately; runs never overlap and start at least `intervalMs` apart; calls
 * made during a run cause one further run.
 */
export function coalesce(
  run: () => Promise<void>,
  intervalMs: number,
  delay: (milliseconds: number) => Promise<unknown> = (ms) =>
    new Promise((resolve) => setTimeout(resolve, ms)),
): () => void {
  let running = false;
  let isRequested = false;
  async function loop(): Promise<void> {
    running = true;
    do {
      isRequested = false;
      await Promise.all([run().catch(() => undefined), delay(intervalMs)]);
    } while (isRequested);
    running = false;
  }
  return () => {
    if (running) isRequested = true;
    else void loop();
  };
}

/**
 * Runs something again and again as it is asked for: at once, never twice at a time, at most every so many
 * milliseconds, and always once more after what was asked for while it ran.
 */
export function coalesce(
  run: () => Promise<void>,
  every: number,
  pause: (milliseconds: number) => Promise<unknown> = (ms) =>
    new Promise((resolve) => setTimeout(resolve, ms)),
): () => void {
  let running = false;
  let wanted = false;
  async function go(): Promise<void> {
    running = true;
    do {
      wanted = false;
      await Promise.all([run().catch(() => undefined), pause(every)]);
    } while (wanted);
    running = false;
  }
  return () => {
    if (running) wanted = true;
    else void go();
  };
}

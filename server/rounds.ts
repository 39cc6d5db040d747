import type { Logger } from 'pino';

/** Work done every so often while the server runs, such as deleting what has run out. */
export function createRounds(
  log: Pick<Logger, 'error'>,
  every: number,
  work: Record<string, () => Promise<unknown>>,
) {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function round(): Promise<void> {
    for (const [name, one] of Object.entries(work)) {
      await one().catch((error: unknown) => log.error({ err: error }, `${name} failed`));
    }
  }
  const run = () => {
    running = running.then(round);
  };

  return {
    start(): void {
      timer = setInterval(run, every).unref();
    },
    /** Resolves when nothing of it runs any more. */
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}

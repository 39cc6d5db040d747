import type { Logger } from 'pino';
import { isStorageFailure } from '#server/http/storage-failure.ts';

/** Writes that wait, a few hundred bytes each. */
const MOST = 10_000;
const AGAIN = 2000;

/**
 * Small writes that nobody must wait for in vain, such as the record of a download: on a full disk reading goes on, and
 * what was read is written down, in order, once there is room.
 */
export function createDeferredWrites({ log, most = MOST }: { log: Pick<Logger, 'error'>; most?: number }) {
  const waiting: (() => Promise<unknown>)[] = [];
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  async function flush(): Promise<void> {
    for (let write = waiting[0]; write; write = waiting[0]) {
      try {
        await write();
      } catch (error) {
        if (isStorageFailure(error)) return;
        log.error({ err: error }, 'what was to be put on record later could not be');
      }
      waiting.shift();
    }
    clearInterval(timer);
    timer = undefined;
    if (lost > 0) log.error({ lost }, 'the disk was full for so long that some records are lost');
    lost = 0;
  }
  const flushed = (): Promise<void> => (flushing ??= flush().finally(() => (flushing = undefined)));

  function keep(write: () => Promise<unknown>): void {
    if (waiting.length < most) waiting.push(write);
    else lost += 1;
    timer ??= setInterval(() => void flushed(), AGAIN).unref();
  }

  return {
    /** Resolves when it is written, or kept in memory for later. Rejects for any other reason than the disk. */
    async write(write: () => Promise<unknown>): Promise<void> {
      if (waiting.length > 0) return keep(write);
      try {
        await write();
      } catch (error) {
        if (!isStorageFailure(error)) throw error;
        keep(write);
      }
    },

    /** Writes what waits, if there is room now. */
    flush: flushed,

    /** The last try. What still has no room is lost, and the log says how many. */
    async stop(): Promise<void> {
      await flushed();
      clearInterval(timer);
      if (waiting.length > 0)
        log.error({ lost: waiting.length }, 'records that had no room on the disk are lost');
    },
  };
}
export type DeferredWrites = ReturnType<typeof createDeferredWrites>;

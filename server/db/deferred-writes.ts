import type { Logger } from 'pino';
import { isStorageFailure } from '#server/http/storage-failure.ts';

/** Pending writes in memory, a few hundred bytes each. */
const MAX_PENDING = 10_000;
const RETRY_MS = 2000;

/**
 * Small writes that must not fail a request, such as the record of a download. On a full disk, reading goes on: the writes are queued
 * in memory and written in order once there is room.
 */
export function createDeferredWrites({ log }: { log: Pick<Logger, 'error'> }) {
  const pending: (() => Promise<unknown>)[] = [];
  let lost = 0;
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> | undefined;

  async function writePending(): Promise<void> {
    for (let write = pending[0]; write; write = pending[0]) {
      try {
        await write();
      } catch (error) {
        if (isStorageFailure(error)) return;
        log.error({ err: error }, 'what was to be put on record later could not be');
      }
      pending.shift();
    }
    clearInterval(timer);
    timer = undefined;
    if (lost > 0) log.error({ lost }, 'the disk was full for so long that some records are lost');
    lost = 0;
  }
  const flush = (): Promise<void> => (flushing ??= writePending().finally(() => (flushing = undefined)));

  function enqueue(write: () => Promise<unknown>): void {
    if (pending.length < MAX_PENDING) pending.push(write);
    else lost += 1;
    timer ??= setInterval(() => void flush(), RETRY_MS).unref();
  }

  return {
    /** Resolves when the write is done or queued. Rejects if it fails for another reason than the disk. */
    async write(write: () => Promise<unknown>): Promise<void> {
      if (pending.length > 0) return enqueue(write);
      try {
        await write();
      } catch (error) {
        if (!isStorageFailure(error)) throw error;
        enqueue(write);
      }
    },

    /** Tries to do the pending writes now. */
    flush,

    /** Tries a last time. Writes that still fail are lost, and the log says how many. */
    async stop(): Promise<void> {
      await flush();
      clearInterval(timer);
      if (pending.length > 0)
        log.error({ lost: pending.length }, 'records that had no room on the disk are lost');
    },
  };
}
export type DeferredWrites = ReturnType<typeof createDeferredWrites>;

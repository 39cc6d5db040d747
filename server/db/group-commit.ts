import { AsyncLocalStorage } from 'node:async_hooks';
import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';

/** Small work inside a transaction. It may throw an AppError only before its first write. */
type Work<T> = (trx: Knex.Transaction) => Promise<T>;

interface Waiting {
  run: (trx: Knex.Transaction) => Promise<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

// A reader waits for the whole of it.
const AT_ONCE = 20;

/**
 * Commits together what waits together. One commit costs a flush to disk however much it holds, so files that arrive
 * while one is being committed share the next.
 */
export function createGroupCommit(db: Knex): <T>(work: Work<T>) => Promise<T> {
  const queue: Waiting[] = [];
  let busy = false;

  async function attempt(batch: readonly Waiting[]): Promise<void> {
    const outcomes = await db.transaction(async (trx) => {
      const told: (() => void)[] = [];
      for (const { run, resolve, reject } of batch) {
        try {
          const value = await run(trx);
          told.push(() => resolve(value as never));
        } catch (error) {
          // Refused before it wrote anything: the others are not concerned.
          if (!(error instanceof AppError)) throw error;
          told.push(() => reject(error));
        }
      }
      return told;
    });
    for (const tell of outcomes) tell();
  }

  async function drain(): Promise<void> {
    busy = true;
    while (queue.length > 0) {
      const batch = queue.splice(0, AT_ONCE);
      await attempt(batch).catch(async () => {
        // Nothing was kept. One by one, only what is at fault fails.
        for (const one of batch) await attempt([one]).catch(one.reject);
      });
    }
    busy = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      // The audit trail asks for whom it works: each piece keeps its own request.
      const inOwnScope = AsyncLocalStorage.snapshot();
      queue.push({ run: (trx) => inOwnScope(() => work(trx)), resolve, reject });
      if (!busy) void drain();
    });
}

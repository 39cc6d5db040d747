import { AsyncLocalStorage } from 'node:async_hooks';
import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';
import { collectWrites } from './collected-writes.ts';
import { CommitUnknown } from './postgres/errors.ts';

/** Small work inside a transaction. It may throw an AppError only before its first write, also one before the commit. */
type Work<T> = (trx: Knex.Transaction) => Promise<T>;

interface Pending {
  run: (trx: Knex.Transaction) => Promise<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/** All other writers wait for a whole batch. */
const MAX_BATCH = 20;

/**
 * Group commit: work that is pending at the same time shares one transaction. A commit costs one flush to disk however much it
 * contains, so the files that arrive during one commit share the next, and their entries in the history one statement.
 */
export function createGroupCommit(db: Knex): <T>(work: Work<T>) => Promise<T> {
  const queue: Pending[] = [];
  let draining = false;

  async function commit(batch: readonly Pending[]): Promise<void> {
    const runAll = async (trx: Knex.Transaction) => {
      const settle: (() => void)[] = [];
      for (const { run, resolve, reject } of batch) {
        try {
          const value = await run(trx);
          settle.push(() => resolve(value as never));
        } catch (error) {
          // An AppError comes before the first write, so the others can be committed.
          if (!(error instanceof AppError)) throw error;
          settle.push(() => reject(error));
        }
      }
      return settle;
    };
    const settlements = await db.transaction((trx) => collectWrites(trx, () => runAll(trx)));
    for (const settle of settlements) settle();
  }

  async function drain(): Promise<void> {
    draining = true;
    while (queue.length > 0) {
      const batch = queue.splice(0, MAX_BATCH);
      await commit(batch).catch(async (error: unknown) => {
        // Work that may be committed must not be done again: it would meet its own rows.
        if (error instanceof CommitUnknown) {
          for (const { reject } of batch) reject(error);
          return;
        }
        // The batch was rolled back. Committed one by one, only the faulty work fails.
        for (const pending of batch) await commit([pending]).catch(pending.reject);
      });
    }
    draining = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      // The audit trail reads the request from the async context, so each work runs in that of its caller.
      const inCallersContext = AsyncLocalStorage.snapshot();
      queue.push({ run: (trx) => inCallersContext(() => work(trx)), resolve, reject });
      if (!draining) void drain();
    });
}

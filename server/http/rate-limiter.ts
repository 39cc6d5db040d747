import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import { tooManyRequests } from './errors.ts';
import { queryRow } from '#server/db/sql.ts';

export interface Limit {
  /** Key of the limit in the table; never renamed. */
  name: string;
  /** Tries allowed per window. */
  tries: number;
  /** Length of the window in seconds; it begins with the first try. */
  seconds: number;
}

/** One try, counted against one limit. */
export interface Try {
  limit: Limit;
  /** The user, address or the like that the try counts for. */
  subject: string;
  /** Called only over the limit: whether the limit does not apply to this try. Use `trx` for every query. */
  unless?: (trx: Knex.Transaction) => Promise<boolean>;
}

/** A stored window that ends later than a new one would means that the clock was set back: it is replaced. */
const UPSERT = `
  INSERT INTO attempts (key, count, resets_at) VALUES (?, 1, ?)
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN attempts.resets_at <= ? THEN 1 ELSE attempts.count + 1 END,
    resets_at = CASE
      WHEN attempts.resets_at <= ? OR attempts.resets_at > excluded.resets_at THEN excluded.resets_at
      ELSE attempts.resets_at END
  RETURNING count, resets_at`;

// Hashed: people type passwords into the e-mail field.
const keyOf = ({ limit, subject }: Try): string =>
  `${limit.name}:${createHash('sha256').update(subject).digest('base64url')}`;

function wait(seconds: number): string {
  if (seconds <= 90) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/**
 * Counts tries in the database, so that a restart resets nothing. When disabled it counts nothing and allows
 * everything.
 */
export function createRateLimiter({ db, clock, enabled }: { db: Knex; clock: Clock; enabled: boolean }) {
  /** Seconds to wait; 0 while under the limit. */
  async function count(trx: Knex.Transaction, attempt: Try, now: Date): Promise<number> {
    const nowIso = now.toISOString();
    const ends = new Date(now.getTime() + attempt.limit.seconds * 1000).toISOString();
    const row = await queryRow<{ count: number; resets_at: string }>(trx, UPSERT, [
      keyOf(attempt),
      ends,
      nowIso,
      nowIso,
    ]);
    if (!row || row.count <= attempt.limit.tries) return 0;
    return Math.max(1, Math.ceil((Date.parse(row.resets_at) - now.getTime()) / 1000));
  }

  async function shorten(attempt: Try, now: Date): Promise<void> {
    const ends = new Date(now.getTime() + attempt.limit.seconds * 1000).toISOString();
    const key = keyOf(attempt);
    if (!(await db('attempts').where({ key }).where('resets_at', '>', ends).first('key'))) return;
    await db('attempts').where({ key }).update({ resets_at: ends });
  }

  return {
    /**
     * Counts the tries before they are made, so that parallel tries cannot slip past together. A refused try
     * counts against no limit: being over one limit does not use up another.
     * @throws {AppError} 429 with the time to wait.
     */
    async check(...tries: Try[]): Promise<void> {
      if (!enabled) return;
      const now = clock();
      try {
        await db.transaction(async (trx) => {
          for (const attempt of tries) {
            const seconds = await count(trx, attempt, now);
            if (seconds === 0 || (await attempt.unless?.(trx))) continue;
            throw tooManyRequests(`Too many attempts. Please wait ${wait(seconds)} and try again.`, seconds);
          }
        });
      } catch (error) {
        // The rollback removed the count, but the waiting time in the error message has to hold.
        for (const attempt of tries) await shorten(attempt, now);
        throw error;
      }
    },

    /** Uncounts tries that turned out to be legitimate. */
    async giveBack(trx: Knex.Transaction, ...tries: Try[]): Promise<void> {
      if (!enabled) return;
      await trx('attempts').whereIn('key', tries.map(keyOf)).where('count', '>', 0).decrement('count', 1);
    },

    /** Deletes the counts of these subjects. */
    async forget(trx: Knex.Transaction, ...tries: Try[]): Promise<void> {
      if (enabled) await trx('attempts').whereIn('key', tries.map(keyOf)).delete();
    },

    /** Deletes windows that have ended. */
    sweep: (): Promise<number> => db('attempts').where('resets_at', '<=', clock().toISOString()).delete(),
  };
}
export type RateLimiter = ReturnType<typeof createRateLimiter>;

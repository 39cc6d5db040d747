import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import { tooManyRequests } from './errors.ts';
import { queryRow } from '#server/db/sql.ts';

export interface Limit {
  /** Names the limit in the table; never renamed. */
  name: string;
  /** Tries that are allowed in one window. */
  tries: number;
  /** Length of the window in seconds; it starts with the first try. */
  seconds: number;
}

/** One try against one limit. */
export interface Try {
  limit: Limit;
  /** Who or what the limit counts for. */
  subject: string;
  /** Asked only when the limit is passed: whether it is not to hold for this one. Use `trx` for every query. */
  unless?: (trx: Knex.Transaction) => Promise<boolean>;
}

/** No window ends later than one that begins now: where it does, the clock has been set back since. */
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

/** Counts tries in the database, so that a restart forgives nothing. Disabled, it counts nothing and refuses nobody. */
export function createRateLimiter({ db, clock, enabled }: { db: Knex; clock: Clock; enabled: boolean }) {
  /** Seconds to wait; 0 while the limit is not passed. */
  async function count(trx: Knex.Transaction, one: Try, now: Date): Promise<number> {
    const at = now.toISOString();
    const ends = new Date(now.getTime() + one.limit.seconds * 1000).toISOString();
    const row = await queryRow<{ count: number; resets_at: string }>(trx, UPSERT, [keyOf(one), ends, at, at]);
    if (!row || row.count <= one.limit.tries) return 0;
    return Math.max(1, Math.ceil((Date.parse(row.resets_at) - now.getTime()) / 1000));
  }

  async function shorten(one: Try, now: Date): Promise<void> {
    const ends = new Date(now.getTime() + one.limit.seconds * 1000).toISOString();
    const key = keyOf(one);
    if (!(await db('attempts').where({ key }).where('resets_at', '>', ends).first('key'))) return;
    await db('attempts').where({ key }).update({ resets_at: ends });
  }

  return {
    /**
     * Counts a try before it is made, so that many at once cannot slip past together. A refused try counts nowhere: who
     * is over one limit does not use up another.
     * @throws {AppError} 429 that says how long to wait.
     */
    async check(...tries: Try[]): Promise<void> {
      if (!enabled) return;
      const now = clock();
      try {
        await db.transaction(async (trx) => {
          for (const one of tries) {
            const seconds = await count(trx, one, now);
            if (seconds === 0 || (await one.unless?.(trx))) continue;
            throw tooManyRequests(`Too many attempts. Please wait ${wait(seconds)} and try again.`, seconds);
          }
        });
      } catch (error) {
        // A refused try leaves nothing behind, but the time that it was told has to hold.
        for (const one of tries) await shorten(one, now);
        throw error;
      }
    },

    /** Takes tries back that turned out to be honest. */
    async giveBack(trx: Knex.Transaction, ...tries: Try[]): Promise<void> {
      if (!enabled) return;
      await trx('attempts').whereIn('key', tries.map(keyOf)).where('count', '>', 0).decrement('count', 1);
    },

    /** Forgets all tries of these subjects. */
    async forget(trx: Knex.Transaction, ...tries: Try[]): Promise<void> {
      if (enabled) await trx('attempts').whereIn('key', tries.map(keyOf)).delete();
    },

    /** Deletes what has run out. */
    sweep: (): Promise<number> => db('attempts').where('resets_at', '<=', clock().toISOString()).delete(),
  };
}
export type RateLimiter = ReturnType<typeof createRateLimiter>;

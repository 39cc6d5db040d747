import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Clock } from '#server/clock.ts';

/** Counts an action once, however often it is repeated within a time window. */
export interface Deduplicator {
  /** Whether `key` was not seen within the window; marks it as seen. */
  isFirst(key: string): Promise<boolean>;
  /** Unmarks a key whose action failed. */
  forget(key: string): Promise<void>;
}

/** Keys in the memory of this process. @param windowMs milliseconds. @param maxKeys the oldest keys beyond it are dropped. */
export function createMemoryDeduplicator(clock: Clock, windowMs: number, maxKeys = Infinity): Deduplicator {
  /** Time at which each key was first seen, oldest first. */
  const seen = new Map<string, number>();
  return {
    async isFirst(key) {
      const now = clock().getTime();
      for (const [oldest, firstSeen] of seen) {
        if (Math.abs(now - firstSeen) < windowMs && seen.size < maxKeys) break;
        seen.delete(oldest);
      }
      if (seen.has(key)) return false;
      seen.set(key, now);
      return true;
    },
    async forget(key) {
      seen.delete(key);
    },
  };
}

/** Keys in the database, shared by all processes. @param namespace separates these keys from those of other uses. */
export function createStoredDeduplicator(
  db: Knex,
  clock: Clock,
  windowMs: number,
  namespace: string,
): Deduplicator {
  const markOf = (key: string) => createHash('sha256').update(`${namespace} ${key}`).digest('base64url');
  return {
    async isFirst(key) {
      const [now, mark] = [clock(), markOf(key)];
      await db('done_once').where({ mark }).where('until', '<=', now.toISOString()).delete();
      const until = new Date(now.getTime() + windowMs).toISOString();
      const inserted = await db('done_once').insert({ mark, until }).onConflict().ignore().returning('mark');
      return inserted.length > 0;
    },
    async forget(key) {
      await db('done_once')
        .where({ mark: markOf(key) })
        .delete();
    },
  };
}

/** Deletes expired link payloads and expired keys of deduplicators. */
export async function deleteExpired(trx: Knex.Transaction, now: Date): Promise<void> {
  await trx('kept_choices').where('expires_at', '<=', now.toISOString()).delete();
  await trx('done_once').where('until', '<=', now.toISOString()).delete();
}

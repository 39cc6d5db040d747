import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Clock } from '#server/clock.ts';

/** What counts once, however often it is done within a time. */
export interface Once {
  /** Whether nobody was the first before; the mark is whatever names it. */
  isFirst(mark: string): Promise<boolean>;
  /** It did not come about after all. */
  forget(mark: string): Promise<void>;
}

/** Known to this process alone. @param within in ms. @param most that are known; the oldest give way. */
export function onceInMemory(clock: Clock, within: number, most = Infinity): Once {
  /** When each was first done, the oldest first. */
  const known = new Map<string, number>();
  return {
    async isFirst(mark) {
      const now = clock().getTime();
      for (const [old, at] of known) {
        if (Math.abs(now - at) < within && known.size < most) break;
        known.delete(old);
      }
      if (known.has(mark)) return false;
      known.set(mark, now);
      return true;
    },
    async forget(mark) {
      known.delete(mark);
    },
  };
}

/** Known to all processes that serve the vault. @param name sets these marks apart from all others. */
export function createOnceInRows(db: Knex, clock: Clock, within: number, name: string): Once {
  const keyOf = (mark: string) => createHash('sha256').update(`${name} ${mark}`).digest('base64url');
  return {
    async isFirst(given) {
      const [now, mark] = [clock(), keyOf(given)];
      await db('done_once').where({ mark }).where('until', '<=', now.toISOString()).delete();
      const until = new Date(now.getTime() + within).toISOString();
      const made = await db('done_once').insert({ mark, until }).onConflict().ignore().returning('mark');
      return made.length > 0;
    },
    async forget(mark) {
      await db('done_once')
        .where({ mark: keyOf(mark) })
        .delete();
    },
  };
}

/** Deletes what links kept for a while in rows, and marks that count no more. */
export async function forgetRunOut(trx: Knex.Transaction, now: Date): Promise<void> {
  await trx('kept_choices').where('expires_at', '<=', now.toISOString()).delete();
  await trx('done_once').where('until', '<=', now.toISOString()).delete();
}

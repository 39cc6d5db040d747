import type { Knex } from 'knex';
import { boundIdRows, execute, bindList } from '#server/db/sql.ts';

// A database trigger refuses to purge files under a retention rule. To avoid checking every file, a whole tree of Trash
// is checked once: of the ids inserted into `cleared_of_rules`, a trigger accepts only trees that no rule affects.

const clear = (trx: Knex.Transaction, tops: readonly number[]): Promise<void> =>
  execute(trx, `INSERT INTO cleared_of_rules (item_id) SELECT t.value FROM ${boundIdRows('t')}`, [
    bindList(tops),
  ]);

/** The given trees of Trash, by the id of their top item, that no rule affects. */
export async function untouchedByRules(trx: Knex.Transaction, tops: readonly number[]): Promise<Set<number>> {
  await clear(trx, tops);
  const untouched: number[] = await trx('cleared_of_rules').pluck('item_id');
  await trx('cleared_of_rules').delete();
  return new Set(untouched);
}

/** Runs `work`, which purges these trees from Trash; triggers skip the per-file check for trees that no rule affects. */
export async function clearedOfRules(
  trx: Knex.Transaction,
  tops: readonly number[],
  work: () => Promise<void>,
): Promise<void> {
  await clear(trx, tops);
  await work();
  await trx('cleared_of_rules').delete();
}

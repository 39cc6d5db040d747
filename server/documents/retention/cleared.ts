import type { Knex } from 'knex';
import { eachRow, execute, list } from '#server/db/sql.ts';

// The database asks of each tree of Trash at once, and not of each of its files, whether a rule may touch it: of the tops
// that are put into `cleared_of_rules` it takes only those of trees that none touches.

const clear = (trx: Knex.Transaction, tops: readonly number[]): Promise<void> =>
  execute(trx, `INSERT INTO cleared_of_rules (item_id) SELECT t.value FROM ${eachRow('t')}`, [list(tops)]);

/** Of these trees of Trash, by their tops, those that no rule touches. */
export async function untouchedByRules(trx: Knex.Transaction, tops: readonly number[]): Promise<Set<number>> {
  await clear(trx, tops);
  const untouched: number[] = await trx('cleared_of_rules').pluck('item_id');
  await trx('cleared_of_rules').delete();
  return new Set(untouched);
}

/** Runs what takes these trees out of Trash for good: the database looks at no file of those that no rule touches. */
export async function clearedOfRules(
  trx: Knex.Transaction,
  tops: readonly number[],
  work: () => Promise<void>,
): Promise<void> {
  await clear(trx, tops);
  await work();
  await trx('cleared_of_rules').delete();
}

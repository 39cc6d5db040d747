import type { Knex } from 'knex';

/** Does the work in a transaction, and undoes it. @returns what the work has returned. */
export async function undone<Result>(
  db: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  const results: Result[] = [];
  const undoing = new Error('The transaction is undone');
  await db
    .transaction(async (trx) => {
      results.push(await work(trx));
      throw undoing;
    })
    .catch((error: unknown) => {
      if (error !== undoing) throw error;
    });
  return results.at(-1)!;
}

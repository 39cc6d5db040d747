import type { Knex } from 'knex';

/**
 * Records that the client has answered, so that the office is notified. The first update locks the request: an e-mail
 * that is being written at this moment ends the news before, and the second update begins new ones.
 */
export async function noteNews(
  trx: Knex.Transaction,
  id: number,
  at: string,
  changes: { done_at?: string } = {},
): Promise<void> {
  await trx('requests')
    .where({ id })
    .update({ ...changes, updated_at: at });
  await trx('requests')
    .where({ id })
    // Of two that come at the same time, the one that began earlier may be recorded later.
    .where((of) => of.whereNull('news_at').orWhere('news_at', '>', at))
    .update({ news_at: at });
}

/** Ends the news of all requests of a user. @returns the time of the first one, by request. */
export async function takeNews(trx: Knex.Transaction, made_by: number): Promise<Map<number, string>> {
  // Locked until the end of the transaction: news that come meanwhile wait, and begin anew.
  const rows: { id: number; news_at: string }[] = await trx('requests')
    .where({ made_by })
    .whereNotNull('news_at')
    .orderBy('id')
    .forUpdate()
    .select('id', 'news_at');
  const since = new Map(rows.map(({ id, news_at }) => [id, news_at]));
  await trx('requests')
    .whereIn('id', [...since.keys()])
    .update({ news_at: null });
  return since;
}

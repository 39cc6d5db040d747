import type { Knex } from 'knex';

/** Records that the client has answered, so that the office is notified: with what else has come since the last e-mail, if anything has. */
export async function noteNews(
  trx: Knex.Transaction,
  id: number,
  at: string,
  changes: { done_at?: string } = {},
): Promise<void> {
  await trx('requests')
    .where({ id })
    .update({ ...changes, updated_at: at });
  await trx('requests').where({ id }).whereNull('news_at').update({ news_at: at });
}

/** Ends the news of all requests of a user. @returns the time of the first one, by request. */
export async function takeNews(trx: Knex.Transaction, made_by: number): Promise<Map<number, string>> {
  const rows: { id: number; news_at: string }[] = await trx('requests')
    .where({ made_by })
    .whereNotNull('news_at')
    .select('id', 'news_at');
  const since = new Map(rows.map(({ id, news_at }) => [id, news_at]));
  await trx('requests')
    .whereIn('id', [...since.keys()])
    .update({ news_at: null });
  return since;
}

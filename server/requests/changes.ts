import type { Knex } from 'knex';
import type { RowRecord } from './model.ts';

/** Updates a row, for which the caller then settles what follows for its request. */
export async function updateRow(
  trx: Knex.Transaction,
  id: number,
  change: Pick<RowRecord, 'state' | 'reason'> & Partial<Pick<RowRecord, 'returned_at'>>,
  now: string,
): Promise<void> {
  await trx('request_rows')
    .where({ id })
    .update({ ...change, updated_at: now });
}

/** Updates whether the request is complete, after a row has changed. */
export async function updateCompletion(trx: Knex.Transaction, id: number, now: string): Promise<void> {
  const open = await trx('request_rows')
    .where({ request_id: id })
    .whereNot({ state: 'accepted' })
    .first('id');
  await trx('requests')
    .where({ id })
    .update({ completed_at: open ? null : now, updated_at: now });
}

/** Clears the client's declaration that everything is sent, because something is needed again. */
export async function clearDone(trx: Knex.Transaction, id: number): Promise<void> {
  await trx('requests').where({ id }).update({ done_at: null });
}

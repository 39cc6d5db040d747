import type { Knex } from 'knex';
import type { Seer } from './visible.ts';
import { seesAll } from './visible.ts';

const BATCH = 400;

/** Whoever adds clients and sees only some works for those too, or they would be gone as soon as they were there. */
export async function assignToCreator(
  trx: Knex.Transaction,
  actor: Seer,
  clientIds: readonly number[],
): Promise<void> {
  if (seesAll(actor)) return;
  const rows = clientIds.map((client_id) => ({ user_id: actor.userId, client_id }));
  for (let at = 0; at < rows.length; at += BATCH)
    await trx('user_clients')
      .insert(rows.slice(at, at + BATCH))
      .onConflict(['user_id', 'client_id'])
      .ignore();
}

/** Nobody works for a client that is deleted; to be called in the transaction that does. */
export async function forgetAssignments(trx: Knex.Transaction, clientId: number): Promise<void> {
  await trx('user_clients').where({ client_id: clientId }).delete();
}

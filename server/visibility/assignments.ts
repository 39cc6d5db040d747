import type { Knex } from 'knex';
import type { Viewer } from './visible.ts';
import { seesAll } from './visible.ts';

const BATCH = 400;

/** Assigns new clients to a creator who sees only assigned clients; otherwise they would not see what they created. */
export async function assignToCreator(
  trx: Knex.Transaction,
  actor: Viewer,
  clientIds: readonly number[],
): Promise<void> {
  if (seesAll(actor)) return;
  const rows = clientIds.map((client_id) => ({ user_id: actor.userId, client_id }));
  for (let start = 0; start < rows.length; start += BATCH)
    await trx('user_clients')
      .insert(rows.slice(start, start + BATCH))
      .onConflict(['user_id', 'client_id'])
      .ignore();
}

/** Call in the transaction that deletes the client. */
export async function deleteAssignments(trx: Knex.Transaction, clientId: number): Promise<void> {
  await trx('user_clients').where({ client_id: clientId }).delete();
}

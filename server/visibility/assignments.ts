import type { Knex } from 'knex';
import type { Viewer } from './visible.ts';
import { hasAllClients, seesAll } from './visible.ts';

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

/** Of clients that get another group, those that the user sees by their group alone, and would not see by the new one. */
export async function lostClients(
  db: Knex,
  actor: Viewer,
  changes: readonly { id: number; group: string | null }[],
): Promise<Set<number>> {
  if (changes.length === 0 || hasAllClients(actor)) return new Set();
  const own = { user_id: actor.userId };
  const groups = new Set<string>(await db('user_client_groups').where(own).pluck('group_name'));
  const assigned = new Set<number>(await db('user_clients').where(own).pluck('client_id'));
  return new Set(
    changes.flatMap(({ id, group }) => (assigned.has(id) || (group && groups.has(group)) ? [] : [id])),
  );
}

/** Call in the transaction that deletes the client. */
export async function deleteAssignments(trx: Knex.Transaction, clientId: number): Promise<void> {
  await trx('user_clients').where({ client_id: clientId }).delete();
}

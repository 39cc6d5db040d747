import type { Knex } from 'knex';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { opensFor } from './model.ts';

/** Ends these sessions. @returns the links through which they may be downloading; cut them after the transaction. */
async function endSessions(trx: Knex.Transaction, ids: readonly number[]): Promise<number[]> {
  const links = await queryRows<{ link_id: number }>(
    trx,
    `SELECT DISTINCT link_id FROM portal_passes WHERE session_id IN (${BOUND_IDS})`,
    [bindList(ids)],
  );
  await trx('portal_sessions').whereIn('id', ids).delete();
  return links.map(({ link_id }) => link_id);
}

/** Closes these pages to all who have them open, or are about to. @returns as `endSessions`. */
export async function shutPages(trx: Knex.Transaction, portalIds: readonly number[]): Promise<number[]> {
  await trx('portal_codes').whereIn('portal_id', portalIds).delete();
  return endSessions(trx, await trx('portal_sessions').whereIn('portal_id', portalIds).pluck('id'));
}

/** `shutPages` for the pages of a client. */
export const shutPagesOf = async (trx: Knex.Transaction, client_id: number): Promise<number[]> =>
  shutPages(trx, await trx('portals').where({ client_id }).pluck('id'));

/**
 * Closes the pages of these clients to those whose address does not open them any more. @returns as `endSessions`.
 */
export async function shutOutRemoved(trx: Knex.Transaction, clientIds: Iterable<number>): Promise<number[]> {
  const sessions = await queryRows<{
    id: number;
    portal_id: number;
    email: string;
    client_email: string | null;
  }>(
    trx,
    `SELECT s.id, s.portal_id, s.email, c.email AS client_email FROM portals p
       JOIN portal_sessions s ON s.portal_id = p.id JOIN clients c ON c.id = p.client_id
     WHERE p.client_id IN (${BOUND_IDS})`,
    [bindList(clientIds)],
  );
  const ended: number[] = [];
  for (const { id, portal_id, email, client_email } of sessions)
    if (!(await opensFor(trx, { id: portal_id, client_email }, email))) ended.push(id);
  return ended.length > 0 ? endSessions(trx, ended) : [];
}

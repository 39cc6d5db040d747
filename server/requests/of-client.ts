import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Audit } from '#server/audit/service.ts';
import type { Collecting } from '#server/collecting/service.ts';
import type { RequestRecord } from './model.ts';
import { doorOf, stateOf } from './model.ts';
import { auditFields } from './of-office.ts';

const requestsOf = (db: Knex, client_id: number): Promise<RequestRecord[]> =>
  db('requests').where({ client_id }).orderBy('id');

/** The number of requests to a client, and of those that are still open. */
export async function countRequests(
  db: Knex,
  clientId: number,
): Promise<{ requests: number; open_requests: number }> {
  const all = await requestsOf(db, clientId);
  return {
    requests: all.length,
    open_requests: all.filter((request) => stateOf(request) === 'open').length,
  };
}

/** Records each request that ends with its client, so that the history names them; the answers of the client are there already. */
export async function recordEnd(
  trx: Knex.Transaction,
  { audit, collecting }: { audit: Pick<Audit, 'record'>; collecting: Pick<Collecting, 'forgetJudged'> },
  actor: Actor,
  clientId: number,
): Promise<void> {
  for (const request of await requestsOf(trx, clientId)) {
    await collecting.forgetJudged(trx, doorOf(request.id));
    await audit.record(trx, { actor, did: 'request.delete', ...auditFields(request) });
  }
}

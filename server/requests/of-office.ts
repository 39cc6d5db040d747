import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { missing, notFound } from '#server/http/errors.ts';
import type { Limit } from '#server/http/rate-limiter.ts';
import type { RequestView } from './contract.ts';
import type { RequestsDependencies } from './dependencies.ts';
import type { RequestFacts } from './doors.ts';
import { stateOf } from './model.ts';
import { requireAsk } from './policy.ts';
import { viewRequest, visibleRequests } from './views.ts';

/** E-mails to clients per user and day. */
export const EMAIL_LIMIT: Limit = { name: 'request_sent', tries: 2000, seconds: 24 * 60 * 60 };

/** A request that the actor sees. @throws {AppError} 403, 404. */
export async function requestOf(db: Knex, actor: Actor, id: number): Promise<RequestFacts> {
  requireAsk(actor);
  const found: RequestFacts | undefined = await visibleRequests(db, actor).where('r.id', id).first();
  if (!found) throw notFound('request');
  return found;
}

/** The same with its rows and files. @throws {AppError} 403, 404. */
export async function viewOf(
  dependencies: RequestsDependencies,
  actor: Actor,
  id: number,
): Promise<RequestView> {
  requireAsk(actor);
  const found = await viewRequest(dependencies, actor, id);
  if (!found) throw notFound('request');
  return found;
}

/** The link of a closed request shows nothing. @throws {AppError} 404. */
export function requireNotClosed(of: RequestFacts): void {
  if (stateOf(of) === 'closed') throw missing('This request is closed. Open it again first.');
}

export const auditFields = ({ id, title, client_id }: Pick<RequestFacts, 'id' | 'title' | 'client_id'>) => ({
  subject: `client:${client_id}`,
  detail: { request: id, name: title },
});

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

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

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { unauthenticated } from '#server/http/errors.ts';

/**
 * For a change that outlives the session, such as a new way to sign in: a new password ends all sessions, and none of them may make such a
 * change after it. The row is locked: ending the session either waits and then finds the change, or is found here.
 * @throws {AppError} 401 once the session has ended.
 */
export async function requireLiveSession(trx: Knex.Transaction, actor: Actor): Promise<void> {
  const session = trx('sessions').where({ id: actor.sessionId, user_id: actor.userId });
  if (!(await session.forUpdate().first('id'))) throw unauthenticated();
}

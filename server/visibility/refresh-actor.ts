import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';

/** For long-running work: the actor with the present role and client scope, which may have changed since the request. */
export async function refreshActor<A extends Pick<Actor, 'userId' | 'role' | 'clientScope'>>(
  db: Knex,
  actor: A,
): Promise<A> {
  const row: Pick<Actor, 'role'> & { client_scope: Actor['clientScope'] } = await db('users')
    .where({ id: actor.userId })
    .first('role', 'client_scope');
  return { ...actor, role: row.role, clientScope: row.client_scope };
}

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';

/** The actor of work that takes long, with whose things may be seen now and not when it was asked for. */
export async function asOfNow<A extends Pick<Actor, 'userId' | 'role' | 'clientScope'>>(
  db: Knex,
  actor: A,
): Promise<A> {
  const row: Pick<Actor, 'role'> & { client_scope: Actor['clientScope'] } = await db('users')
    .where({ id: actor.userId })
    .first('role', 'client_scope');
  return { ...actor, role: row.role, clientScope: row.client_scope };
}

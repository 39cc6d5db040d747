import { randomUUID } from 'node:crypto';
import type { Actor } from '../actor.ts';
import type { World } from './world.ts';

/** A second user of the actor's firm, by default with assigned clients only; created directly in the database. */
export async function colleague(
  { db }: Pick<World, 'db'>,
  admin: Actor,
  more: Partial<Pick<Actor, 'role' | 'permissions' | 'clientScope'>> & { name?: string } = {},
): Promise<Actor> {
  const { name = 'Ravi Kumar', ...rights } = more;
  const { id: _id, ...row } = await db('users').where('id', admin.userId).first();
  const actor = { ...admin, role: 'staff' as const, clientScope: 'assigned' as const, ...rights };
  const own = { role: actor.role, client_scope: actor.clientScope, permissions: '[]' };
  const [made] = (await db('users')
    .insert({ ...row, ...own, name, email: `${randomUUID()}@example.in` })
    .returning('id')) as [{ id: number }];
  return { ...actor, userId: made.id };
}

/** Assigns a user to these clients and groups, and to no others. */
export async function assign(
  { db }: Pick<World, 'db'>,
  { userId, firmId }: Actor,
  clients: readonly number[],
  groups: readonly string[] = [],
): Promise<void> {
  await db('user_clients').where({ user_id: userId }).delete();
  await db('user_client_groups').where({ user_id: userId }).delete();
  for (const client_id of clients) await db('user_clients').insert({ user_id: userId, client_id });
  for (const group_name of groups)
    await db('user_client_groups').insert({ user_id: userId, firm_id: firmId, group_name });
}

import type { Actor } from '../server/actor.ts';
import { createBuild } from '../server/testing/build.ts';
import type { openServices } from './full-database.ts';

const ASSIGNED = 300;

/** Adds a person who is assigned to 300 clients of a firm, spread over all of them. */
export async function colleagues(
  filling: Awaited<ReturnType<typeof openServices>>,
  admin: Actor,
): Promise<{ assigned: Actor }> {
  const { actor } = await createBuild(filling).colleague(admin, { client_scope: 'assigned' });
  const ids: number[] = await filling
    .db('clients')
    .where({ firm_id: admin.firmId })
    .orderBy('id')
    .pluck('id');
  const step = Math.max(1, Math.floor(ids.length / ASSIGNED));
  const chosen = ids.filter((_, at) => at % step === 0).slice(0, ASSIGNED);
  await filling.db('user_clients').insert(chosen.map((client_id) => ({ user_id: actor.userId, client_id })));
  return { assigned: actor };
}

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { isVisible, seesAll } from '#server/visibility/visible.ts';

/** The folders among these that contain, at any depth, an item that the actor does not see. */
export async function holdingUnseen(db: Knex, actor: Actor, ids: readonly number[]): Promise<number[]> {
  if (seesAll(actor) || ids.length === 0) return [];
  const rows = await queryRows<{ top: number }>(
    db,
    `WITH RECURSIVE held(top, id) AS (
       SELECT id, id FROM items WHERE id IN (${BOUND_IDS})
       UNION ALL
       SELECT held.top, i.id FROM held CROSS JOIN items i WHERE i.parent_id = held.id
     ) SELECT DISTINCT held.top FROM held CROSS JOIN items i WHERE i.id = held.id AND NOT (${isVisible(actor, 'i')})`,
    [bindList(ids)],
  );
  return rows.map(({ top }) => top);
}

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import type { Viewer } from '#server/visibility/visible.ts';
import { isVisible, seesAll } from '#server/visibility/visible.ts';

export const GONE = 'This item is no longer in Trash.';

/**
 * A condition on rows `t` of `trash` with their items `i`: the entries that the actor sees. A folder is visible only
 * to those who see everything in it; otherwise its size would reveal the rest.
 */
export const andSeenInTrash = (actor: Viewer): string =>
  seesAll(actor)
    ? ''
    : ` AND ${isVisible(actor, 'i')} AND (t.mixed = 0 OR NOT EXISTS (
         SELECT 1 FROM hidden_items h CROSS JOIN item_rows x
         WHERE h.trash = t.item_id AND x.id = h.item_id AND NOT (${isVisible(actor, 'x')})))`;

/** Names of those of these items that are in Trash, also inside a folder there, for an actor who may open Trash and sees them there. */
export async function inTrash(db: Knex, actor: Actor, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0 || !may(actor, 'documents.delete')) return new Map();
  const rows = await queryRows<{ item_id: number; name: string }>(
    db,
    `SELECT h.item_id, x.name FROM hidden_items h JOIN trash t ON t.item_id = h.trash
     JOIN item_rows i ON i.id = t.item_id JOIN item_rows x ON x.id = h.item_id
     WHERE h.item_id IN (${BOUND_IDS}) AND t.firm_id = ?${andSeenInTrash(actor)}`,
    [bindList(ids), actor.firmId],
  );
  return new Map(rows.map(({ item_id, name }) => [item_id, name]));
}

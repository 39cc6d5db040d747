import type { Seer } from '#server/visibility/visible.ts';
import { isVisible, seesAll } from '#server/visibility/visible.ts';

export const GONE = 'This item is no longer in Trash.';

/**
 * A condition on rows `t` of `trash` with their items `i`, to be added to others: what the actor sees of Trash. A folder
 * is shown to those only who see all that lies in it, or its size would tell of the rest.
 */
export const andSeenInTrash = (actor: Seer): string =>
  seesAll(actor)
    ? ''
    : ` AND ${isVisible(actor, 'i')} AND (t.mixed = 0 OR NOT EXISTS (
         SELECT 1 FROM hidden_items h CROSS JOIN item_rows x
         WHERE h.trash = t.item_id AND x.id = h.item_id AND NOT (${isVisible(actor, 'x')})))`;

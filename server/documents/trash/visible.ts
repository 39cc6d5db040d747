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

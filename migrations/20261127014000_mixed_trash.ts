import type { Knex } from 'knex';

/**
 * An entry of Trash without a client of its own belongs to the client of the folder it came from, which may change. What has
 * a client of its own inside it then belongs to another one, and is looked at separately.
 */
export const up = (knex: Knex): Promise<void> =>
  knex.raw(`UPDATE trash SET mixed = 1 WHERE mixed = 0
    AND EXISTS (SELECT 1 FROM item_rows i WHERE i.id = trash.item_id AND i.client_id IS NULL)
    AND EXISTS (SELECT 1 FROM hidden_items h CROSS JOIN item_rows x
      WHERE h.trash = trash.item_id AND x.id = h.item_id AND x.client_id IS NOT NULL)`);

export const lost = null;

/** The old program looks into these entries too, which takes longer and finds the same. */
export const down = async (): Promise<void> => {};

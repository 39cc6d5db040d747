import type { Knex } from 'knex';
import { createAdaptiveBatches } from '#server/db/adaptive-batches.ts';

/** Takes deleted clients off their items. */
export function createUnlinking({ db }: { db: Knex }) {
  const paced = createAdaptiveBatches();
  return {
    /**
     * Unlinks some of a client's items, in a short transaction.
     * @returns how many; to be called until there are none.
     */
    unlink: (clientId: number): Promise<number> =>
      paced((rows) =>
        db('item_rows')
          .whereIn('id', db('item_rows').where('client_id', clientId).limit(rows).select('id'))
          .update({ client_id: null }),
      ),
  };
}

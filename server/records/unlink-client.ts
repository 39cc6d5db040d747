import type { Knex } from 'knex';
import { createAdaptiveBatches } from '#server/db/adaptive-batches.ts';

/** Removes a deleted client's link from its items. */
export function createUnlinking({ db }: { db: Knex }) {
  const paced = createAdaptiveBatches();
  return {
    /**
     * Unlinks a batch of a client's items in a short transaction.
     * @returns the number of items; 0 when all are unlinked.
     */
    unlink: (clientId: number): Promise<number> =>
      paced((rows) =>
        db('item_rows')
          .whereIn('id', db('item_rows').where('client_id', clientId).limit(rows).select('id'))
          .update({ client_id: null }),
      ),
  };
}

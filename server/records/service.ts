import type { Knex } from 'knex';
import type { Clock } from '../clock.ts';
import { createBlobRecords, discard, noteParts } from './blobs.ts';
import { forgetNames } from './deleted-names.ts';
import { abandonStagedByGone, createPurging } from './hidden.ts';
import { countLinked, linkedByMonth } from './of-client.ts';
import { createRenditions } from './renditions.ts';
import { release, releaseOfGone } from './reservations.ts';
import { createUnlinking } from './unlink-client.ts';
import * as usage from './usage.ts';

/**
 * What is kept about files for nobody in particular: how much room they take, which bytes are whose, pictures of them,
 * and what of them is to be taken away. Nothing here asks who is asking, so pages and routes never get it.
 */
export function createRecords({ db, clock }: { db: Knex; clock: Clock }) {
  return {
    /** Bytes that the firm's files take. */
    used: (firmId: number): Promise<number> => usage.used(db, firmId),
    /** Where running totals and files differ; empty when all is well. */
    recount: () => usage.recount(db),

    release,
    discard,
    noteParts,
    countLinked,
    linkedByMonth: (clientId: number) => linkedByMonth(db, clientId),
    ...createBlobRecords(db),
    ...createPurging({ db, clock }),
    forgetNames: (signal?: AbortSignal): Promise<number> => forgetNames(db, signal),
    ...createUnlinking({ db }),
    ...createRenditions({ db, clock }),

    /** Undoes what processes that are gone had under way. */
    async recover(): Promise<void> {
      await db.transaction(releaseOfGone);
      await db.transaction(abandonStagedByGone);
    },
  };
}
export type { MonthLinked } from './of-client.ts';
export type { Rendition, RenditionKey } from './renditions.ts';
export type Records = ReturnType<typeof createRecords>;

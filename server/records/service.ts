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
 * Records about files that are independent of a user: storage usage, references to blobs, renditions, and rows to purge.
 * No function checks permissions, so pages and routes never get this service.
 */
export function createRecords({ db, clock }: { db: Knex; clock: Clock }) {
  return {
    /** See `usage.used`. */
    used: (firmId: number): Promise<number> => usage.used(db, firmId),
    /** See `usage.recount`. */
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

    /** Releases the reservations and abandons the staged rows of dead processes. */
    async recover(): Promise<void> {
      await db.transaction(releaseOfGone);
      await db.transaction(abandonStagedByGone);
    },
  };
}
export type { MonthLinked } from './of-client.ts';
export type { RenditionKey } from './renditions.ts';
export type Records = ReturnType<typeof createRecords>;

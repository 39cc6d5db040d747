import { createRecords } from '../../records/service.ts';
import { createSweeper } from '../../records/sweeper.ts';
import { readUnlockedConfig } from '../../tools/ask-passphrase.ts';
import { openAlongside } from '../../tools/open-alongside.ts';

/** What interrupted work has left. */
export interface Leftovers {
  /** Blobs without a row that the sweep has deleted. */
  swept: number;
  /** What the sweep did not delete. */
  left: Record<string, number>;
}

// Sweeps the vault of the environment without the day's grace that the server gives, and prints what is left as JSON.
const { db, blobs, close } = await openAlongside(await readUnlockedConfig(process.env));
const clock = () => new Date(Date.now() + 60_000);
const records = createRecords({ db, clock });
const sweeper = createSweeper({ records, blobs, settled: async () => clock() });
await sweeper.drain();
const swept = (await sweeper.sweepOrphans({ grace: 0, force: true })).length;
const count = async (table: string) => (await db(table)).length;
const leftovers: Leftovers = {
  swept,
  left: {
    orphans: (await sweeper.orphans(0)).ids.length,
    unfinished: (await blobs.discardUnfinished?.(clock())) ?? 0,
    reservations: await count('storage_reservations'),
    uploads: (await db('resumable_uploads').where({ finished_at: null })).length,
    hidden: await count('hidden_items'),
    discarded: await count('discarded_blobs'),
    jobs: (await db('jobs').whereIn('status', ['pending', 'processing']).whereNot({ firm_id: null })).length,
  },
};
await close();
process.stdout.write(JSON.stringify(leftovers));

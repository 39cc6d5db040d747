import type { SettledClock } from '#server/clock.ts';
import type { Records } from '#server/records/service.ts';
import type { DeletionLock } from '#server/datadir/deletion-lock.ts';
import type { BlobId, BlobStore } from '#storage/blobs.ts';
import { sweep } from '#storage/sweep.ts';

/** From the end of an upload's bytes to its row is seconds; the rest is room for a clock that was set back. */
const GRACE = 24 * 60 * 60_000;
const BATCH = 200;

export interface SweeperParts {
  records: Pick<Records, 'purge' | 'anyHidden' | 'takeDiscarded' | 'forgetDiscarded' | 'knownBlobs'>;
  blobs: BlobStore;
  /** By it bytes without a file are old. */
  settled: SettledClock;
  /** Keeps deletions and a running backup apart. */
  deletionLock?: DeletionLock;
}

/** Gives the room of deleted files back, and that of bytes which never got a row. */
export function createSweeper({ records, blobs, settled, deletionLock = (work) => work() }: SweeperParts) {
  let last: Promise<unknown> = Promise.resolve();

  /** In turn, or one of the two below would take the other for a backup. */
  function alone<T>(work: () => Promise<T>): Promise<T | undefined> {
    const turn = last.then(() => deletionLock(work));
    last = turn.catch(() => {});
    return turn;
  }

  const sweeper = {
    /** Whether rows or bytes of deleted files are still there. */
    waiting: async (): Promise<boolean> =>
      (await records.anyHidden()) || (await records.takeDiscarded(1)).length > 0,

    /**
     * Deletes the rows of deleted items and the bytes of deleted files. Each is forgotten once it is gone, so a crash
     * in between only means that it is deleted twice.
     * @returns how many files; 0 as well while a backup is being made.
     */
    async drain(signal?: AbortSignal): Promise<number> {
      let gone = 0;
      while (!signal?.aborted && (await records.purge()) > 0);
      for (;;) {
        const ids = await records.takeDiscarded(BATCH);
        if (ids.length === 0 || signal?.aborted) return gone;
        const done = await alone(async () => {
          for (const id of ids) await blobs.delete(id);
          await records.forgetDiscarded(ids);
          return ids.length;
        });
        if (!done) return gone;
        gone += done;
      }
    },

    /** Blobs older than a day that no row names. `all` is how many old blobs there are. */
    async orphans(grace = GRACE): Promise<{ ids: BlobId[]; all: number }> {
      let all = 0;
      const known = async (ids: BlobId[]) => {
        all += ids.length;
        return records.knownBlobs(ids);
      };
      const keeping = { ...blobs, delete: async () => {} };
      const now = await settled();
      const ids = await sweep({ blobs: keeping, known, graceMs: grace, now: () => now });
      return { ids, all };
    },

    /**
     * Deletes the orphans, and what writers that were killed left unfinished.
     * @throws when they are most of what is stored: then the database is more likely wrong than the store.
     */
    async sweepOrphans({
      grace = GRACE,
      force = false,
      signal,
    }: { grace?: number; force?: boolean; signal?: AbortSignal } = {}): Promise<BlobId[]> {
      const { ids, all } = await sweeper.orphans(grace);
      if (ids.length > 10 && ids.length > all / 2 && !force) {
        throw new Error(
          `${ids.length} of ${all} stored files have no entry in the database. That looks like a database that was lost ` +
            'or put back from an old copy, so nothing was deleted. If it is right, run "npm run admin -- sweep --force".',
        );
      }
      const gone = await alone(async () => {
        // What a restore or an import has given a row meanwhile stays.
        for (let at = 0; at < ids.length && !signal?.aborted; at += BATCH) {
          const batch = ids.slice(at, at + BATCH);
          const known = await records.knownBlobs(batch);
          for (const id of batch) if (!known.has(id)) await blobs.delete(id);
        }
        await blobs.discardUnfinished?.(new Date((await settled()).getTime() - grace));
        return ids;
      });
      return gone ?? [];
    },
  };
  return sweeper;
}
export type Sweeper = ReturnType<typeof createSweeper>;

import type { SettledClock } from '#server/clock.ts';
import type { Records } from '#server/records/service.ts';
import type { DeletionLock } from '#server/datadir/deletion-lock.ts';
import type { BlobId, BlobStore } from '#storage/blobs.ts';
import { sweep } from '#storage/sweep.ts';

/**
 * Bytes are referenced by a row within seconds of their upload; the rest is a margin for a clock that was set back.
 */
const GRACE = 24 * 60 * 60_000;
const BATCH = 200;

interface SweeperDependencies {
  records: Pick<Records, 'purge' | 'anyHidden' | 'takeDiscarded' | 'forgetDiscarded' | 'knownBlobs'>;
  blobs: BlobStore;
  /** The clock by which unreferenced bytes are old enough to be deleted. */
  settled: SettledClock;
  /** Keeps deletions and a running backup apart. */
  deletionLock?: DeletionLock;
  /** Databases beside the one in use whose files may have rows only there; while there are any, no orphans are deleted. */
  otherDatabases?: () => Promise<readonly string[]>;
}

/** Deletes the rows and bytes of deleted files, and bytes that no row refers to. */
export function createSweeper({
  records,
  blobs,
  settled,
  deletionLock = (work) => work(),
  otherDatabases = async () => [],
}: SweeperDependencies) {
  let previous: Promise<unknown> = Promise.resolve();

  /** Runs deletions one after another; otherwise one of them would take the other's lock for a running backup. */
  function exclusive<T>(work: () => Promise<T>): Promise<T | undefined> {
    const turn = previous.then(() => deletionLock(work));
    previous = turn.catch(() => {});
    return turn;
  }

  const sweeper = {
    /** Whether deleted files have remaining rows or bytes. */
    waiting: async (): Promise<boolean> =>
      (await records.anyHidden()) || (await records.takeDiscarded(1)).length > 0,

    /**
     * Deletes the rows and bytes of deleted items. A blob is removed from the list after its bytes are deleted, so a crash
     * in between only repeats the deletion.
     * @returns number of deleted blobs; 0 also while a backup runs.
     */
    async drain(signal?: AbortSignal): Promise<number> {
      let deleted = 0;
      while (!signal?.aborted && (await records.purge()) > 0);
      for (;;) {
        const ids = await records.takeDiscarded(BATCH);
        if (ids.length === 0 || signal?.aborted) return deleted;
        const count = await exclusive(async () => {
          for (const id of ids) await blobs.delete(id);
          await records.forgetDiscarded(ids);
          return ids.length;
        });
        if (!count) return deleted;
        deleted += count;
      }
    },

    /** Blobs that are older than `grace` and that no row refers to. `total` counts all blobs older than `grace`. */
    async orphans(grace = GRACE): Promise<{ ids: BlobId[]; total: number }> {
      let total = 0;
      const findReferenced = async (ids: BlobId[]) => {
        total += ids.length;
        return records.knownBlobs(ids);
      };
      const readOnlyBlobs = { ...blobs, delete: async () => {} };
      const now = await settled();
      const ids = await sweep({ blobs: readOnlyBlobs, findReferenced, graceMs: grace, now: () => now });
      return { ids, total };
    },

    /**
     * Deletes orphans, and unfinished files of writers that were killed. @returns the deleted ones; none while a database of a reverted
     * update is kept, since rows may be only there.
     * @throws if most blobs are orphans: then the database is more likely wrong than the blob store.
     */
    async sweepOrphans({
      grace = GRACE,
      force = false,
      signal,
    }: { grace?: number; force?: boolean; signal?: AbortSignal } = {}): Promise<BlobId[]> {
      if (!force && (await otherDatabases()).length > 0) return [];
      const { ids, total } = await sweeper.orphans(grace);
      if (ids.length > 10 && ids.length > total / 2 && !force) {
        throw new Error(
          `${ids.length} of ${total} stored files have no entry in the database. That looks like a database that was lost ` +
            'or put back from an old copy, so nothing was deleted. If it is right, run "npm run admin -- sweep --force".',
        );
      }
      const deleted = await exclusive(async () => {
        const gone: BlobId[] = [];
        // Checked again: a restore or an import may have created a row meanwhile.
        for (let start = 0; start < ids.length && !signal?.aborted; start += BATCH) {
          const batch = ids.slice(start, start + BATCH);
          const referenced = await records.knownBlobs(batch);
          for (const id of batch) {
            if (referenced.has(id)) continue;
            await blobs.delete(id);
            gone.push(id);
          }
        }
        await blobs.discardUnfinished?.(new Date((await settled()).getTime() - grace));
        return gone;
      });
      return deleted ?? [];
    },
  };
  return sweeper;
}
export type Sweeper = ReturnType<typeof createSweeper>;

import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { Documents } from '#server/documents/service.ts';
import type { Alone } from '#server/hold.ts';
import type { BlobId, BlobStore } from '#storage/blobs.ts';
import { sweep } from '#storage/sweep.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** From the end of an upload's bytes to its row is seconds; the rest is room for a clock that was set back. */
const GRACE = 24 * HOUR;
const BATCH = 200;

export interface SweeperParts {
  documents: Pick<Documents, 'purge' | 'takeDiscarded' | 'forgetDiscarded' | 'knownBlobs'>;
  blobs: BlobStore;
  clock: Clock;
  log: Pick<Logger, 'info' | 'error'>;
  /** Keeps deletions and a running backup apart. */
  alone?: Alone;
}

/** Gives the room of deleted files back, and that of bytes which never got a row. */
export function createSweeper({ documents, blobs, clock, log, alone = (work) => work() }: SweeperParts) {
  const timers: NodeJS.Timeout[] = [];
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();

  const sweeper = {
    /**
     * Deletes the rows of deleted items and the bytes of deleted files. Each is forgotten once it is gone, so a crash in between only means that it
     * is deleted twice.
     * @returns how many files; 0 as well while a backup is being made.
     */
    async drain(): Promise<number> {
      let gone = 0;
      while (!stopped && (await documents.purge()) > 0);
      for (;;) {
        const ids = await documents.takeDiscarded(BATCH);
        if (ids.length === 0 || stopped) return gone;
        const done = await alone(async () => {
          for (const id of ids) await blobs.delete(id);
          await documents.forgetDiscarded(ids);
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
        return documents.knownBlobs(ids);
      };
      const keeping = { ...blobs, delete: async () => {} };
      const ids = await sweep({ blobs: keeping, known, graceMs: grace, now: clock });
      return { ids, all };
    },

    /**
     * Deletes the orphans.
     * @throws when they are most of what is stored: then the database is more likely wrong than the store.
     */
    async sweepOrphans({ grace = GRACE, force = false } = {}): Promise<BlobId[]> {
      const { ids, all } = await sweeper.orphans(grace);
      if (ids.length > 10 && ids.length > all / 2 && !force) {
        throw new Error(
          `${ids.length} of ${all} stored files have no entry in the database. That looks like a database that was lost ` +
            'or put back from an old copy, so nothing was deleted. If it is right, run "npm run admin -- sweep --force".',
        );
      }
      const gone = await alone(async () => {
        // What a restore or an import has given a row meanwhile stays.
        for (let at = 0; at < ids.length; at += BATCH) {
          const batch = ids.slice(at, at + BATCH);
          const known = await documents.knownBlobs(batch);
          for (const id of batch) if (!known.has(id)) await blobs.delete(id);
        }
        return ids;
      });
      return gone ?? [];
    },

    /** Begins to do both from time to time. */
    start(): void {
      const plan = (every: number, first: number, what: string, work: () => Promise<number>) => {
        const run = () => {
          running = running
            .then(() => (stopped ? 0 : work()))
            .then((count) => {
              if (count > 0) log.info({ count }, what);
              return count;
            })
            .catch((error: unknown) => log.error({ err: error }, `${what}: failed`));
        };
        timers.push(setTimeout(run, first).unref(), setInterval(run, every).unref());
      };
      plan(15_000, 1000, 'deleted files: bytes removed', sweeper.drain);
      plan(
        24 * HOUR,
        10 * MINUTE,
        'bytes without a file removed',
        async () => (await sweeper.sweepOrphans()).length,
      );
    },

    /** Resolves when nothing is being deleted any more. */
    async stop(): Promise<void> {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      await running;
    },
  };
  return sweeper;
}
export type Sweeper = ReturnType<typeof createSweeper>;

import { performance } from 'node:perf_hooks';

/**
 * A cached range is valid for this many times the duration of the query it came from, so that queries take at most a
 * fiftieth of the time.
 */
const VALIDITY_FACTOR = 50;
/** A faster query is not cached. */
const CHEAP_MS = 10;

/** A range of ids; both ends are inclusive. */
export interface Range {
  from: number;
  to: number;
}
export const EMPTY_RANGE: Range = { from: 0, to: -1 };

/**
 * Caches, per firm, the range of waiting contents that nobody can see at present, because their files lie in Trash or
 * are still being unpacked. With 10,000 of them, finding the first visible one took 50 ms before every file. They may
 * become visible at any time, so an entry is valid only briefly.
 * @param now milliseconds of a monotonic clock.
 */
export function createSkipCache(now: () => number = () => performance.now()) {
  const firms = new Map<number, { range: Range; until: number }>();
  return {
    /** The ids to leave out of the next query. */
    range(firmId: number): Range {
      const known = firms.get(firmId);
      if (known && now() < known.until) return known.range;
      firms.delete(firmId);
      return EMPTY_RANGE;
    },

    /**
     * Records the result of a query.
     * @param began when the query started.
     * @param newest the newest waiting id at that time.
     * @param first the newest content that can be read; undefined when none can.
     */
    record(
      firmId: number,
      { began, newest, first }: { began: number; newest: number; first: number | undefined },
    ): void {
      const known = firms.get(firmId);
      const from = (first ?? 0) + 1;
      if (from > newest) return;
      const duration = now() - began;
      if (duration > CHEAP_MS)
        firms.set(firmId, { range: { from, to: newest }, until: now() + VALIDITY_FACTOR * duration });
      // The query skipped the known range, which stays valid as long as before.
      else if (known && known.range.from >= from)
        firms.set(firmId, { range: { from, to: newest }, until: known.until });
    },

    /** Invalidates the entry of a firm. */
    invalidate: (firmId: number): void => void firms.delete(firmId),
    now,
  };
}
export type SkipCache = ReturnType<typeof createSkipCache>;

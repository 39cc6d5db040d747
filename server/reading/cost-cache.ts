import { performance } from 'node:perf_hooks';

/** For so many times as long as it took to learn it, it is taken as still true: so looking takes a fiftieth of the time. */
const HOLDS = 50;
/** What was learned sooner is rather asked again. In ms. */
const CHEAP = 10;

/** Ids, both inclusive. */
export interface Range {
  from: number;
  to: number;
}
export const NONE: Range = { from: 0, to: -1 };

/**
 * Which waiting contents of a firm nobody can see, since their files lie in Trash or are only being unpacked: with
 * 10,000 of them it took 50 ms before every file to find the first that is there. They may come back at any time, so it
 * is known for a moment only.
 * @param now milliseconds of a clock that never goes back.
 */
export function createProbed(now: () => number = () => performance.now()) {
  const firms = new Map<number, { range: Range; until: number }>();
  return {
    /** Ids that need not be looked at now. */
    of(firmId: number): Range {
      const known = firms.get(firmId);
      if (known && now() < known.until) return known.range;
      firms.delete(firmId);
      return NONE;
    },

    /**
     * Notes what a look has found that began at a time, while `newest` was the newest waiting id.
     * @param first the newest that can be read; undefined when none can.
     */
    note(
      firmId: number,
      { began, newest, first }: { began: number; newest: number; first: number | undefined },
    ): void {
      const known = firms.get(firmId);
      const from = (first ?? 0) + 1;
      if (from > newest) return;
      const took = now() - began;
      if (took > CHEAP) firms.set(firmId, { range: { from, to: newest }, until: now() + HOLDS * took });
      // The rest was skipped, and is still known as long as before.
      else if (known && known.range.from >= from)
        firms.set(firmId, { range: { from, to: newest }, until: known.until });
    },

    /** Everything is looked at again: what was known is no longer true. */
    forget: (firmId: number): void => void firms.delete(firmId),
    now,
  };
}
export type Probed = ReturnType<typeof createProbed>;

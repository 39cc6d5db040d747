import { IST_OFFSET_MS } from '#server/text/day-in-india.ts';

/** The retention rule: for how many of the last days, weeks and months with a snapshot the newest one is kept. */
export interface KeepRule {
  days: number;
  weeks: number;
  months: number;
}

export const KEEP: KeepRule = { days: 7, weeks: 4, months: 12 };

const DAY = 24 * 60 * 60_000;

/** 1970-01-01 was a Thursday; weeks begin on Monday. */
const PERIODS: Record<keyof KeepRule, (time: number) => number> = {
  days: (time) => Math.floor(time / DAY),
  weeks: (time) => Math.floor((Math.floor(time / DAY) + 3) / 7),
  months: (time) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth(),
};

/**
 * The snapshots that the rule keeps. Only periods with a snapshot count; the clock does not matter.
 * @param until snapshots dated later, when the clock was ahead, are kept as well, but take no period's place: they would have those deleted
 * that are made after the clock was corrected.
 * @param offsetMs of the time zone by which days begin.
 */
export function keptBy<T extends { at: Date }>(
  rule: KeepRule,
  snapshots: readonly T[],
  { until, offsetMs = IST_OFFSET_MS }: { until?: Date; offsetMs?: number } = {},
): Set<T> {
  const isAhead = ({ at }: T): boolean => until !== undefined && at > until;
  const kept = new Set(snapshots.filter(isAhead));
  const newestFirst = snapshots
    .filter((snapshot) => !isAhead(snapshot))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  for (const unit of ['days', 'weeks', 'months'] as const) {
    const periods = new Set<number>();
    for (const snapshot of newestFirst) {
      const period = PERIODS[unit](snapshot.at.getTime() + offsetMs);
      if (periods.has(period)) continue;
      if (periods.size === rule[unit]) break;
      periods.add(period);
      kept.add(snapshot);
    }
  }
  return kept;
}

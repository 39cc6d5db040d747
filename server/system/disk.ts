import type { Knex } from 'knex';
import type { Clock } from '#server/clock.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import type { DiskView } from './contract.ts';

const DAY = 24 * 60 * 60_000;
/** Days of history that the forecast uses: at most, and at least. */
const HISTORY_DAYS = { most: 30, least: 3 };
const FORECAST_DAYS = 90;

/** `used` is in bytes. */
export interface Sample {
  day: string;
  used: number;
}

/** Bytes added per day, by linear regression; null with less than three days. */
export function growth(samples: readonly Sample[]): number | null {
  const points = samples.map(({ day, used }) => ({ at: Date.parse(day) / DAY, used }));
  const days = points.map(({ at }) => at);
  if (points.length < 2 || Math.max(...days) - Math.min(...days) + 1 < HISTORY_DAYS.least) return null;
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanDay, meanUsed] = [mean(days), mean(points.map(({ used }) => used))];
  const spread = points.reduce((sum, { at }) => sum + (at - meanDay) ** 2, 0);
  return points.reduce((sum, { at, used }) => sum + (at - meanDay) * (used - meanUsed), 0) / spread;
}

/** Current and forecast use of the disk. */
export function createDiskOutlook({
  db,
  clock,
  readDisk,
}: {
  db: Knex;
  clock: Clock;
  /** Null where there is no disk, as in a test. */
  readDisk: (() => Promise<{ free: number; size: number }>) | null;
}) {
  return {
    async view(): Promise<DiskView | null> {
      const now = await readDisk?.().catch(() => null);
      if (!now) return null;
      const from = dayInIndia(new Date(clock().getTime() - HISTORY_DAYS.most * DAY));
      const rows: { day: string; free: number; size: number }[] = await db('disk_days')
        .where('day', '>=', from)
        .select('day', 'free', 'size');
      // Samples of a disk of another size say nothing about this one.
      const same = rows.filter(({ size }) => size === now.size);
      const today = dayInIndia(clock());
      const samples = same
        .filter(({ day }) => day !== today)
        .map(({ day, free, size }) => ({ day, used: size - free }));
      const daily = growth([...samples, { day: today, used: now.size - now.free }]);
      if (daily === null) return { ...now, free_in_90_days: null, full_on: null };
      const left = daily > 0 ? Math.floor(now.free / daily) : Infinity;
      return {
        ...now,
        free_in_90_days: Math.min(now.size, Math.max(0, Math.round(now.free - daily * FORECAST_DAYS))),
        full_on: left <= FORECAST_DAYS ? dayInIndia(new Date(clock().getTime() + left * DAY)) : null,
      };
    },

    /** Stores today's sample. @returns how many rows were inserted or deleted. */
    async note(): Promise<number> {
      const now = await readDisk?.().catch(() => null);
      if (!now) return 0;
      const day = dayInIndia(clock());
      const made = await db('disk_days')
        .insert({ day, ...now })
        .onConflict()
        .ignore()
        .returning('day');
      const old = dayInIndia(new Date(clock().getTime() - 2 * HISTORY_DAYS.most * DAY));
      return made.length + (await db('disk_days').where('day', '<', old).delete());
    },
  };
}

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { KEEP, keptBy } from './retention-rule.ts';

const dailyAtNoon = (from: string, days: number) =>
  Array.from({ length: days }, (_, day) => ({ at: new Date(Date.parse(from) + day * 86_400_000) }));
const daysOf = (kept: Set<{ at: Date }>) =>
  [...kept].map(({ at }) => at.toISOString().slice(0, 10)).toSorted();

test('of twenty nightly backups the last seven are kept, and the last one of each earlier week', () => {
  const kept = daysOf(keptBy(KEEP, dailyAtNoon('2026-11-01T12:00:00Z', 20)));
  const week = ['14', '15', '16', '17', '18', '19', '20'].map((day) => `2026-11-${day}`);
  assert.equal(kept, ['2026-11-01', '2026-11-08', ...week]);
});

test('of two years of nightly backups one per month is kept for twelve months', () => {
  const kept = daysOf(keptBy(KEEP, dailyAtNoon('2025-01-01T12:00:00Z', 700)));
  assert.is(new Set(kept.map((day) => day.slice(0, 7))).size, 12);
});

test('a server that was off for years keeps its backups, since only periods with a backup count', () => {
  const kept = keptBy({ days: 2, weeks: 1, months: 1 }, dailyAtNoon('2020-01-01T12:00:00Z', 2));
  assert.is(kept.size, 2);
});

test('days are counted from midnight in India', () => {
  const late = [{ at: new Date('2026-11-22T18:00:00Z') }, { at: new Date('2026-11-22T19:00:00Z') }];
  assert.is(keptBy({ days: 7, weeks: 0, months: 0 }, late).size, 2);
});

test('snapshots dated later than the one just made are kept but take no place, or each night would delete the backup of the night before', () => {
  const ahead = dailyAtNoon('2027-11-20T12:00:00Z', 7);
  let snapshots = [...ahead];
  for (const made of dailyAtNoon('2026-11-20T12:00:00Z', 9))
    snapshots = [...keptBy({ days: 7, weeks: 0, months: 0 }, [...snapshots, made], { until: made.at })];
  const days = daysOf(new Set(snapshots));
  assert.equal(days.slice(0, 7), daysOf(new Set(dailyAtNoon('2026-11-22T12:00:00Z', 7))));
  assert.equal(days.slice(7), daysOf(new Set(ahead)));
});

test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { KEEP, keptBy } from './keep.ts';

const noons = (from: string, days: number) =>
  Array.from({ length: days }, (_, day) => ({ at: new Date(Date.parse(from) + day * 86_400_000) }));
const daysOf = (kept: Set<{ at: Date }>) =>
  [...kept].map(({ at }) => at.toISOString().slice(0, 10)).toSorted();

test('of twenty nights the last seven stay, and the Sundays of the weeks before', () => {
  const kept = daysOf(keptBy(KEEP, noons('2026-11-01T12:00:00Z', 20)));
  const week = ['14', '15', '16', '17', '18', '19', '20'].map((day) => `2026-11-${day}`);
  assert.equal(kept, ['2026-11-01', '2026-11-08', ...week]);
});

test('of two years a year of months stays, so that what was lost in spring is found in winter', () => {
  const kept = daysOf(keptBy(KEEP, noons('2025-01-01T12:00:00Z', 700)));
  assert.is(new Set(kept.map((day) => day.slice(0, 7))).size, 12);
});

test('a server that was off for years keeps what it has: periods are counted by backups, not by the clock', () => {
  const kept = keptBy({ days: 2, weeks: 1, months: 1 }, noons('2020-01-01T12:00:00Z', 2));
  assert.is(kept.size, 2);
});

test('days begin at midnight in India', () => {
  const late = [{ at: new Date('2026-11-22T18:00:00Z') }, { at: new Date('2026-11-22T19:00:00Z') }];
  assert.is(keptBy({ days: 7, weeks: 0, months: 0 }, late).size, 2);
});

test.run();

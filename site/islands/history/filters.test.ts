import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NO_FILTERS, addressOf, exportOf, filtersAt, isFiltered } from './filters.ts';
import { groupByDay } from './days.ts';

test('filters written to a URL are read back unchanged, so that a filtered view can be bookmarked', () => {
  const filters = { ...NO_FILTERS, person: '7', kind: 'deleted' as const, from: '2026-04-01' };
  assert.is(addressOf(filters), '/history?person=7&kind=deleted&from=2026-04-01');
  assert.equal(filtersAt(new URL(addressOf(filters), 'http://x')), filters);
  assert.is(exportOf(filters), '/api/audit/export?person=7&kind=deleted&from=2026-04-01');
  assert.is(addressOf(NO_FILTERS), '/history');
  assert.not(isFiltered(NO_FILTERS));
});

test('invalid parameters of a URL are ignored', () => {
  const url = new URL('http://x/history?person=x&client=-1&item=1.5&kind=__proto__&from=2026-13-45&to=abc');
  assert.equal(filtersAt(url), NO_FILTERS);
  // The page checks the filters again, and failed on a day that no month has.
  const noDay = new URL('http://x/history?from=2026-02-31&to=2025-02-29');
  assert.equal(filtersAt(noDay), NO_FILTERS);
});

test('entries are grouped by their day in India, whatever the time zone of the browser', () => {
  const entries = [
    '2026-11-20T19:00:00Z',
    '2026-11-20T18:29:00Z',
    '2026-11-19T18:31:00Z',
    '2026-11-19T10:00:00Z',
  ];
  const days = groupByDay(
    entries.map((at, id) => ({ at, id })),
    Date.parse('2026-11-20T20:00:00Z'),
  );
  assert.equal(
    days.map(({ day, label, entries: of }) => [day, label, of.length]),
    [
      ['2026-11-21', 'Today', 1],
      ['2026-11-20', 'Yesterday', 2],
      ['2026-11-19', 'Thu, Nov 19, 2026', 1],
    ],
  );
});

test('a day that comes again, as after the clock was set back, is a section of its own', () => {
  const at = ['2026-11-21', '2026-11-20', '2026-11-21', '2026-11-20'].map((day) => `${day}T10:00:00Z`);
  const days = groupByDay(
    at.map((time) => ({ at: time })),
    Date.parse('2026-11-22T10:00:00Z'),
  );
  assert.equal(
    days.map(({ id }) => id),
    ['2026-11-21', '2026-11-20', '2026-11-21-2', '2026-11-20-2'],
  );
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { originalDate } from './original-date.ts';

const test = suite('original dates');
const NOW = new Date('2026-11-20T10:00:00Z');

test('a date is kept in UTC; without a zone it is that of an office in India, as ZIP entries of old have it', () => {
  assert.is(originalDate('2019-07-31T12:30:00.250Z', NOW), '2019-07-31T12:30:00.250Z');
  assert.is(originalDate('2019-07-31T18:00:04', NOW), '2019-07-31T12:30:04.000Z');
  assert.is(originalDate('2019-07-31T18:00:04+01:00', NOW), '2019-07-31T17:00:04.000Z');
  assert.is(originalDate('2026-11-21T09:59:59Z', NOW), '2026-11-21T09:59:59.000Z', 'zones differ by a day');
});

test('an impossible date is left out, since a wrong date is worse than none', () => {
  for (const given of ['', null, undefined, 'yesterday', '1970-01-01T00:00:00Z', '1979-12-31T23:59:59Z'])
    assert.is(originalDate(given, NOW), null);
  for (const given of ['2026-11-21T10:00:01Z', '2098-01-01T00:00:00Z', '2026-13-40T00:00:00Z', '2026', '1'])
    assert.is(originalDate(given, NOW), null);
});

test.run();

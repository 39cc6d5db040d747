import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { dayOf, readSearch, unclear, writeSearch } from './search-filters.ts';
import { yearOf } from './years.ts';

test('filters may be anywhere in a query, with or without quotation marks, and the remaining words are searched for', () => {
  const { text, filters } = readSearch('client:"Sharma Traders" gratuity  Type:form_16 fy:2025-26 paid');
  assert.is(text, 'gratuity paid');
  assert.equal(
    filters.map(({ key, value }) => [key, value]),
    [
      ['client', 'Sharma Traders'],
      ['type', 'form_16'],
      ['fy', '2025-26'],
    ],
  );
  assert.is(writeSearch(text, filters), 'client:"Sharma Traders" type:form_16 fy:2025-26 gratuity paid');
  assert.equal(readSearch('ay:2026-27').filters[0]!.value, 'AY 2026-27');
  assert.equal(readSearch('client:').filters[0]!.value, '');
  // A word that only ends like a filter is a word, and a query without filters stays as typed.
  assert.equal(readSearch('prototype:x  "a  b"'), { text: 'prototype:x  "a  b"', filters: [] });
});

test('a financial year is recognised in every usual notation, and an impossible one is not', () => {
  for (const text of [
    '2025-26',
    'FY 2025-26',
    'fy2025-2026',
    'AY 2026-27',
    'A.Y. 2026-2027',
    '25-26',
    '2025',
  ])
    assert.is(yearOf(text), 2025, text);
  assert.is(yearOf('1999-00'), 1999);
  for (const text of ['2025-27', '26', 'x', '']) assert.is(yearOf(text), null, text);
});

test('dates are read with the day before the month, and a month or year alone means its first day', () => {
  for (const text of ['2026-04-07', '07-04-2026', '7/4/26', '7 Apr 2026', '7th April, 2026'])
    assert.is(dayOf(text), '2026-04-07', text);
  assert.equal(['2026-04', 'Apr 2026', 'april-2026', '2026'].map(dayOf), [
    '2026-04-01',
    '2026-04-01',
    '2026-04-01',
    '2026-01-01',
  ]);
  for (const text of ['31-02-2026', '2026-13', 'soon', '']) assert.is(dayOf(text), null, text);
  assert.is(unclear({ key: 'before', value: 'soon' }), 'day');
  assert.is(unclear({ key: 'fy', value: '2025-27' }), 'year');
  assert.is(unclear({ key: 'from', value: 'Ravi' }), null);
});

test.run();

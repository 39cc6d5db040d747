import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { selectableYears, spanOfYear, startOfFinancialYear } from './years.ts';

test('a financial year begins in April', () => {
  const yearOf = (day: string) => spanOfYear(startOfFinancialYear(day));
  assert.is(yearOf('2026-03'), '2025-26');
  assert.is(yearOf('2026-03-31'), '2025-26');
  assert.is(yearOf('2026-04'), '2026-27');
  assert.is(yearOf('1999-12'), '1999-00');
});

test('the list of financial years changes at midnight of 1 April in India, which is 18:30 of 31 March in UTC', () => {
  assert.equal(selectableYears(new Date('2026-03-31T18:29:59Z')).slice(0, 2), ['2026-27', '2025-26']);
  assert.equal(selectableYears(new Date('2026-03-31T18:30:00Z')), [
    '2027-28',
    '2026-27',
    '2025-26',
    '2024-25',
    '2023-24',
  ]);
});

test.run();

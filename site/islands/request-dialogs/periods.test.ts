import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { periodChoices, fillPeriods, matchRows, periodsIn } from './periods.ts';

test('the last year, month and quarter that have ended are listed first, since these are usually asked for', () => {
  const november = periodChoices(new Date('2026-11-22T10:00:00Z'));
  assert.is(november.year[0], 'FY 2025-26');
  assert.is(november.month[0], 'October 2026');
  assert.is(november.quarter[0], 'Q2 FY 2026-27 (Jul–Sep)');
  const may = periodChoices(new Date('2026-05-02T10:00:00Z'));
  assert.equal(
    [may.year[0], may.month[0], may.quarter[0]],
    ['FY 2025-26', 'April 2026', 'Q4 FY 2025-26 (Jan–Mar)'],
  );
});

test('the placeholders of a list are replaced by the chosen periods', () => {
  const rows = ['Form 16 for {year}', 'Sales for {month}'];
  assert.equal(periodsIn(rows), ['year', 'month']);
  const chosen = { year: 'FY 2025-26', month: 'October 2026', quarter: '' };
  assert.equal(fillPeriods(rows, chosen), ['Form 16 for FY 2025-26', 'Sales for October 2026']);
});

test('a renamed row keeps its id, so that the files received for it stay with it', () => {
  const existing = [
    { id: 1, name: 'Form 16' },
    { id: 2, name: 'PAN' },
  ];
  assert.equal(matchRows(existing, ['PAN', 'Form 16 and 16A', 'Rent']), [
    { id: 2, name: 'PAN' },
    { id: 1, name: 'Form 16 and 16A' },
    { id: null, name: 'Rent' },
  ]);
});

test.run();

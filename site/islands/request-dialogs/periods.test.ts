import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RequestFile } from '#server/requests/contract.ts';
import type { MatchedRow } from './periods.ts';
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

const row = (id: number, name: string, more: Partial<MatchedRow> = {}): MatchedRow => ({
  id,
  name,
  state: 'wanted',
  files: [],
  ...more,
});

test('a row keeps its id through a correction, but another document in its place is a new row, or a client with the old page would send the one as the other', () => {
  const existing = [row(1, 'form-16'), row(2, 'PAN card'), row(3, 'Loan statement')];
  assert.equal(matchRows(existing, ['Loan statement', 'Trial balance', 'Form 16', 'Form 16A']), [
    { id: 3, name: 'Loan statement' },
    { id: null, name: 'Trial balance' },
    { id: 1, name: 'Form 16' },
    { id: null, name: 'Form 16A' },
  ]);
});

test('a document that takes the line of an answered one is asked for anew, or it would get the files and the answer of the other', () => {
  const answered: Partial<MatchedRow>[] = [
    { state: 'accepted' },
    { state: 'received' },
    { state: 'returned' },
    { state: 'unavailable' },
    // A file that waits for the virus scanner.
    { files: [{ name: 'Aadhaar.pdf' } as RequestFile] },
  ];
  for (const more of answered)
    assert.equal(matchRows([row(1, 'PAN'), row(2, 'Aadhaar card', more)], ['PAN', 'Bank statement']), [
      { id: 1, name: 'PAN' },
      { id: null, name: 'Bank statement' },
    ]);
});

test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { selectableYears, spanOfYear, startOfFinancialYear, yearOf, yearOfFolder } from './years.ts';

test('a financial year begins in April', () => {
  const nameOf = (day: string) => spanOfYear(startOfFinancialYear(day));
  assert.is(nameOf('2026-03'), '2025-26');
  assert.is(nameOf('2026-03-31'), '2025-26');
  assert.is(nameOf('2026-04'), '2026-27');
  assert.is(nameOf('1999-12'), '1999-00');
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

test('a folder of an assessment year is one of the financial year before it, or a return would be filed a year too late', () => {
  for (const name of [
    'Assessment Year 2025-26',
    'ASSESSMENT YEAR 2025-2026',
    'AY_2025-26',
    'ITR_AY_2025_26',
    'AY2025-26',
    'A.Y. 2025-26',
    'A.Y.2025-26',
    'A Y 2025-26',
    'Asst Year 2025-26',
    'Asst. Yr. 2025-26',
    'Asstt. Year 2025-26',
    "Ass't Year 2025-26",
    'Sharma Assessment Yr (2025–26)',
  ])
    assert.is(yearOfFolder(name), 2024, name);
  for (const name of [
    'FY 2024-25',
    'F.Y.2024-25',
    'Financial Year 2024-25',
    'Fin. Year 2024-2025',
    'Previous Year 2024-25',
    'GST-2024-25',
    '2024_25 Audit',
    'Holiday 2024-25',
    'Accounting Year 2024-25',
  ])
    assert.is(yearOfFolder(name), 2024, name);
  for (const name of ['2011_12_05', '2024-26', 'Bills 12024-25', 'Assessment orders'])
    assert.is(yearOfFolder(name), null, name);
});

test('a year that is typed alone is read in the words of every kind of year', () => {
  for (const text of ['AY 2026-27', 'Asst. Year 2026-2027', 'a.y.26-27', 'Previous Year 2025-26', '2025'])
    assert.is(yearOf(text), 2025, text);
  for (const text of ['25', '2025-27', 'Year 2025-26']) assert.is(yearOf(text), null, text);
});

test.run();

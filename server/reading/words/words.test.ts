import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { namedIn, wordsOf } from './words.ts';

const terms = (text: string) => Array.from(wordsOf(text), ({ term }) => term);
const named = (text: string) => namedIn(text).map(({ term }) => term);

test('an amount is one word however its digits are grouped, and 0017 and 1.2.3 are not read as amounts', () => {
  assert.equal(terms('Total 1,20,000 = 120000 = 1,20,000.00 = 120,000'), [
    'total',
    ...Array.from({ length: 4 }, () => '120000'),
  ]);
  assert.equal(terms('₹1,23,456.50/-'), ['123456.5']);
  assert.equal(terms('१,२०,०००'), ['120000']);
  assert.equal(terms('No. 0017, sections 1.2.3'), ['no', '0017', 'sections', '1', '2', '3']);
});

test('an amount or a date is found whatever is printed directly before or behind it', () => {
  for (const [text, expected] of [
    ['Rs.1,23,456.00', 'rs 123456'],
    ['INR1,23,456', 'inr 123456'],
    ['Rs500.50', 'rs 500.5'],
    ['Rs.500.50/-', 'rs 500.5'],
    ['1,23,456.50Cr', '123456.5 cr'],
    ['123456.50DR', '123456.5 dr'],
    ['Total1,23,456.00', 'total 123456'],
    ['रु.1,23,456', 'रु 123456'],
    ['paid 123456.50.', 'paid 123456.5'],
    // Nor are numbers torn from identifiers.
    ['Rs12AB INV2026,100 1,000x', 'rs12ab inv2026 100 1 000x'],
    ['section A.5.25, v1.2', 'section a 5 25 v1 2'],
  ] as const)
    assert.is(terms(text).join(' '), expected);
  for (const text of ['dt.31.03.2025', 'upto:-31/03/25', 'scan_31-03-2025_signed', 'Jan.31-Mar-2025'])
    assert.equal(named(text), ['day 2025-03-31'], text);
  for (const text of [
    'w.e.f.01.04.2024-31.03.2025',
    '01/04/2024-31/03/2025',
    '01-Apr-2024-31-Mar-2025',
    '01/04/24 - 31/03/25',
  ])
    assert.equal(named(text), ['day 2024-04-01', 'day 2025-03-31'], text);
  for (const text of ['5.31.03.2025', '10-11-2026-12-13', 'SB31-03-2025', '31/03/2025/7'])
    assert.equal(named(text), [], text);
});

test('Hindi words keep their vowel signs, and a PAN or a GSTIN is one word', () => {
  assert.equal(terms('आयकर विवरणी'), ['आयकर', 'विवरणी']);
  assert.equal(terms('PAN AAAPZ0000Q, GSTIN 27AAAPZ0000Q1ZL'), [
    'pan',
    'aaapz0000q',
    'gstin',
    '27aaapz0000q1zl',
  ]);
  assert.equal(terms('INV-2026/0017'), ['inv', '2026', '0017']);
});

test('a date gives the same term in every notation that offices use, and 7/4/2026 means 7 April', () => {
  for (const text of [
    '07-04-2026',
    '7/4/2026',
    '07.04.26',
    '7 Apr 2026',
    '7th April, 2026',
    '07-Apr-2026',
    'April 7, 2026',
    '2026-04-07',
  ])
    assert.ok(named(`dated ${text} at Pune`).includes('day 2026-04-07'), text);
  for (const text of ['32-04-2026', '1.2.3', '10-2026-11-12-13', '7 Marketing 20'])
    assert.equal(
      named(text).filter((term) => term.startsWith('day')),
      [],
      text,
    );
});

test('a financial year and its assessment year, which is the year after it, give the same term', () => {
  for (const text of ['FY 2025-26', 'F.Y. 2025-2026', 'Financial Year: 2025-26', '2025-26', 'AY 2026-27'])
    assert.equal(named(text), ['year 2025'], text);
  assert.equal(named('Assessment Year 2026-27'), ['year 2025']);
  assert.equal(named('Tax Year 2026-27'), ['year 2026']);
  assert.equal(named('2025-27'), []);
  // What stands between a kind of year and its figures, or before it, does not matter.
  for (const text of [
    'Asst. Year : 2026-2027',
    'ITR_AY_2026-27',
    'ITR_AY2026-27',
    'A.Y.2026-27',
    'AY-2026-27',
  ])
    assert.equal(named(text), ['year 2025'], text);
  for (const text of ['F.Y.2025-26', 'Fin. Year 2025-26', 'Previous Year 2025-26', 'bill 2025-26/001'])
    assert.equal(named(text), ['year 2025'], text);
  for (const text of ['1,2025-26', 'INV/2025-26', '2025-26-04']) assert.equal(named(text), [], text);
});

test('the fast regular expression for ASCII texts and the slower one for other scripts find the same words', () => {
  const texts = [
    'Rs.1,20,000.50Cr Rs500 INR1,000 Rs.5.25 Total1,20,000.00 A.1,000 AB12C1,000 1.5Dr. (2,50,000.00DR) Rs12AB v1.2 w.e.f.01.04.2025',
    'Paid Rs.1,20,000.50 on 07-04-2026 (INV/17-26), A/c no. 12.5.3; ₹ 5,00 – “total” 1,2345 x1,000 1,000x 3.14159 .5',
    'a1b2,3 10.00.00 12,34,567 AAAPZ0000A 0.5% foo_bar don’t e-mail: a@b.in\n1,00,000\n2.50',
  ];
  for (const text of texts) {
    const slow = [...wordsOf(`${text} आ`)];
    assert.equal([...wordsOf(text)], slow.slice(0, -1));
  }
});

test.run();

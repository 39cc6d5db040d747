import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recognise } from '../../recognise.ts';

/** Reads a statement as text, where blanks separate columns. */
const read = (lines: readonly string[], head = 'Account No: 50100012345678') =>
  recognise([{ page: 1, label: '', text: ['Statement of Account', head, '', ...lines].join('\n') }], {
    fileType: 'txt',
  }).tables.find(({ key }) => key === 'transactions');
const transactions = (lines: readonly string[], head?: string) =>
  read(lines, head)?.rows.map(({ cells }) => [cells[0], cells[4], cells[5], cells[6]]);

const EXPECTED = [
  ['2025-04-02', '25050', null, '74950'],
  ['2025-04-03', null, '500000', '574950'],
  ['2025-04-04', '70000', null, '504950'],
  ['2025-04-05', null, '1000', '505950'],
];

// Each has other headings; those of the last two are unknown.
const LAYOUTS: Record<string, string[]> = {
  'a serial number, two dates, and cheque numbers': [
    'Sl No  Post Date   Val Dt      Transaction Remarks   Inst No   Withdrawal (Dr)  Deposit (Cr)  Balance(INR)',
    '1      02-04-2025  02-04-2025  BY UPI                123456           250.50                      749.50',
    '2      03-04-2025  03-04-2025  SALARY                                              5,000.00     5,749.50',
    '3      04-04-2025  04-04-2025  ATM                   000124           700.00                    5,049.50',
    '4      05-04-2025  05-04-2025  INTEREST                                               10.00     5,059.50',
  ],
  'one amount column with Cr or Dr, newest first': [
    'Txn Date    Description        Amount  Dr/Cr  Running Balance',
    '05/04/2025  INTEREST            10.00  CR            5,059.50',
    '04/04/2025  ATM                700.00  DR            5,049.50',
    '03/04/2025  SALARY           5,000.00  CR            5,749.50',
    '02/04/2025  UPI                250.50  DR              749.50',
  ],
  'a date on one line and its amounts on the next, balances with Cr': [
    'Trn Date    Particular           Payment    Receipt     Cl. Bal',
    '02/04/2025  PAID TO A FIRM',
    '            OF MUMBAI             250.50              749.50 Cr',
    '03/04/2025  SALARY                          5,000.00  5,749.50 Cr',
    '04/04/2025  CASH                  700.00            5,049.50 Cr',
    '05/04/2025  INTEREST                           10.00  5,059.50 Cr',
  ],
  'unknown headings': [
    'When        What it was          Minus       Plus         Left',
    '02/04/2025  UPI/123456789       250.50                  749.50',
    '03/04/2025  SALARY                       5,000.00     5,749.50',
    '04/04/2025  ATM WDL             700.00                5,049.50',
    '05/04/2025  INTEREST                        10.00     5,059.50',
    'Page 1 of 1',
  ],
  'no heading, and one amount column with a sign': [
    '02/04/2025  UPI/123456789     -250.50    749.50',
    '03/04/2025  SALARY           5,000.00  5,749.50',
    '04/04/2025  ATM WDL           -700.00  5,049.50',
    '05/04/2025  INTEREST            10.00  5,059.50',
  ],
};

for (const [name, lines] of Object.entries(LAYOUTS))
  test(`a statement is read by its headings, or by balances that follow from each other: ${name}`, () => {
    assert.equal(read(lines)?.breaks, []);
    const rows = transactions(lines)!;
    assert.equal(rows[0]![0] === '2025-04-05' ? rows.toReversed() : rows, EXPECTED);
  });

test('columns with unknown headings are read only if balances follow from each other, and a row that breaks is reported', () => {
  const lines = [
    ...LAYOUTS['unknown headings']!.slice(0, -1),
    '06/04/2025  RENT               1,000.00                4,059.50',
    '07/04/2025  UPI                   59.50                4,000.00',
  ];
  assert.equal(read(lines.with(2, lines[2]!.replace('5,749.50', '5,749.60')))?.breaks, [1, 2]);
  const unrelated = lines.map((line, index) =>
    index === 0 ? line : line.replace(/\S+$/, `${index * 911}.13`),
  );
  assert.ok(read(unrelated)?.breaks?.length !== 0);
});

test('with unknown headings, credits left of debits are not accepted, since an overdraft without a sign looks the same', () => {
  const overdraft = [
    'When        What it was          Minus       Plus         Left',
    '02/04/2025  UPI/123456789       250.50                1,250.50',
    '03/04/2025  SALARY                       1,000.00       250.50',
    '04/04/2025  ATM WDL             700.00                  950.50',
    '05/04/2025  INTEREST                        10.00       940.50',
  ];
  assert.is(read(overdraft), undefined);
});

test('a year below the day in a narrow date column belongs to that date', () => {
  const rows = transactions([
    'Txn Date  Description   Debit    Credit   Balance',
    '2 Apr     UPI          250.50              749.50',
    '2025',
    '3 Apr     SALARY               5,000.00  5,749.50',
    '2025',
  ]);
  assert.equal(
    rows?.map(([day]) => day),
    ['2025-04-02', '2025-04-03'],
  );
});

test('a date of three lines is that of the row beside its second one, and not the date of the row before', () => {
  const rows = transactions([
    'Txn Date  Description   Debit    Credit   Balance',
    '2',
    'Apr       UPI          250.50              749.50',
    '2025',
    '',
    '31',
    'Mar       SALARY               5,000.00  5,749.50',
    '2026',
  ]);
  assert.equal(
    rows?.map(([day]) => day),
    ['2025-04-02', '2026-03-31'],
  );
});

test.run();

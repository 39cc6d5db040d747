import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UNSURE } from '../../contract.ts';
import { recognise } from '../../recognise.ts';

const HEAD = 'HDFC Bank\nStatement of Account\nAccount No,50100012345678\nIFSC,HDFC0000001\n';
const COLUMNS = 'Date,Narration,Chq No,Debit,Credit,Balance\n';
const ROWS = [
  '01/04/2025,Opening Balance,,,,1000.00',
  '02/04/2025,UPI test@okaxis HDFC0009999,,250.50,,749.50',
  '03/04/2025,SALARY,,,5000.00,5749.50',
  '04/04/2025,ATM WDL,123456,700.00,,5049.50',
];

const read = (rows: readonly string[], head = HEAD) =>
  recognise([{ page: 1, label: '', text: head + COLUMNS + rows.join('\n') }], { fileType: 'csv' });
const table = (rows: readonly string[], head?: string) =>
  read(rows, head).tables.find(({ key }) => key === 'transactions');

test('a statement is read with its transactions, balances, account and IFSC', () => {
  const recognised = read(ROWS);
  assert.is(recognised.type, 'bank_statement');
  const [transactions] = recognised.tables;
  assert.equal(transactions?.breaks, []);
  assert.equal(
    transactions!.rows.map(({ cells }) => [cells[0], cells[4], cells[5], cells[6]]),
    [
      ['2025-04-02', '25050', null, '74950'],
      ['2025-04-03', null, '500000', '574950'],
      ['2025-04-04', '70000', null, '504950'],
    ],
  );
  const value = (key: string) => recognised.fields.find((field) => field.key === key)?.value;
  assert.equal(['opening_balance', 'closing_balance', 'account_no', 'ifsc'].map(value), [
    '100000',
    '504950',
    '50100012345678',
    'HDFC0000001',
  ]);
  // Identifiers in a narration belong to somebody else.
  assert.not.ok(
    recognised.fields.some((field) => field.value === 'HDFC0009999' || field.value === 'TEST@OKAXIS'),
  );
});

test('the column `Value Dat` of HDFC has value dates, which do not end up in the narration', () => {
  const text = [
    '  Date     ,Narration                                ,Value Dat,Debit Amount       ,Credit Amount      ,Chq/Ref Number   ,Closing Balance',
    '02/04/25  ,UPI-IYER TEXTILES-iyer@okaxis            ,02/04/25 ,         250.50    ,           0.00    ,0000509212345678 ,         749.50',
    '03/04/25  ,NEFT CR-SBIN0000001-RAO AND SONS         ,04/04/25 ,           0.00    ,        5000.00    ,SBIN125093123456 ,        5749.50',
  ].join('\n');
  for (const fileType of ['txt', 'csv']) {
    const found = recognise([{ page: 1, label: '', text: `HDFC Bank\n${text}` }], { fileType });
    assert.equal(
      found.tables[0]?.rows.map(({ cells }) => cells.slice(0, 3)),
      [
        ['2025-04-02', '2025-04-02', 'UPI-IYER TEXTILES-iyer@okaxis'],
        ['2025-04-03', '2025-04-04', 'NEFT CR-SBIN0000001-RAO AND SONS'],
      ],
      fileType,
    );
  }
});

test('a missing or misread row is reported, and not corrected', () => {
  assert.equal(table(ROWS.filter((_, index) => index !== 2))?.breaks, [1]);
  assert.equal(table(ROWS.map((row) => row.replace('5749.50', '5749.60')))?.breaks, [1, 2]);
});

test('a row missing at the end is reported by the printed closing balance', () => {
  assert.equal(table(ROWS.slice(0, 3), `${HEAD}Closing Balance,5049.50\n`)?.breaks, [1]);
});

test('balances and totals that contradict each other are asked about in Review, also where the rows do', () => {
  const unsure = (summary: string, rows: readonly string[]) =>
    read(rows, `${HEAD}${summary}`).fields.flatMap(({ key, kind, sure }) =>
      kind === 'amount' && sure < UNSURE ? [key] : [],
    );
  const summary = (credits: string, closing: string) =>
    `Opening Balance,1000.00\nTotal Debits,950.50\nTotal Credits,${credits}\nClosing Balance,${closing}\n`;
  assert.equal(unsure(summary('5000.00', '5049.50'), ROWS), []);
  const all = ['opening_balance', 'closing_balance', 'total_debits', 'total_credits'];
  const wrong = ROWS.map((row) => row.replace('5049.50', '6049.50'));
  assert.equal(unsure(summary('5000.00', '6049.50'), wrong), all);
  assert.equal(unsure('Opening Balance,1000.00\nClosing Balance,6049.50\n', wrong), all.slice(0, 2));
  // The rows lead from one balance to the other.
  assert.equal(unsure(summary('5900.00', '5049.50'), ROWS), ['total_credits']);
  // A row was misread, and the printed figures still agree.
  assert.equal(unsure(summary('5000.00', '5049.50'), ROWS.toSpliced(2, 1)), []);
});

test('the balances of a newest-first statement are followed from its last row', () => {
  const [, ...rows] = ROWS;
  assert.equal(table(rows.toReversed())?.breaks, []);
  assert.equal(table(rows.toReversed().filter((_, index) => index !== 1))?.breaks?.length, 1);
});

test('a statement of two financial years has no year, so that a user chooses, unless only a day lies in one of them', () => {
  const yearOf = (from: string, to: string) => read(ROWS, `${HEAD}Statement Period,${from} to ${to}\n`).year;
  assert.is(yearOf('01/01/2025', '31/12/2025'), null);
  assert.is(yearOf('01/03/2025', '30/04/2025'), null);
  assert.is(yearOf('01/04/2023', '31/03/2025'), null);
  assert.is(yearOf('31/03/2025', '01/04/2025'), null);
  assert.is(yearOf('31/03/2025', '31/03/2026'), 2025);
  assert.is(yearOf('01/04/2024', '01/04/2025'), 2024);
  assert.is(yearOf('15/04/2025', '20/02/2026'), 2025);
});

test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
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

test('a statement whose balances follow from each other is read, with the rest from its head', () => {
  const found = read(ROWS);
  assert.is(found.type, 'bank_statement');
  const [transactions] = found.tables;
  assert.equal(transactions?.breaks, []);
  assert.equal(
    transactions!.rows.map(({ cells }) => [cells[0], cells[4], cells[5], cells[6]]),
    [
      ['2025-04-02', '25050', null, '74950'],
      ['2025-04-03', null, '500000', '574950'],
      ['2025-04-04', '70000', null, '504950'],
    ],
  );
  const value = (key: string) => found.fields.find((field) => field.key === key)?.value;
  assert.equal(['opening_balance', 'closing_balance', 'account_no', 'ifsc'].map(value), [
    '100000',
    '504950',
    '50100012345678',
    'HDFC0000001',
  ]);
  // Those in a narration are of somebody else.
  assert.not.ok(found.fields.some((field) => field.value === 'HDFC0009999' || field.value === 'TEST@OKAXIS'));
});

test('a row that is missing or misread is named, and nothing is put right', () => {
  assert.equal(table(ROWS.filter((_, at) => at !== 2))?.breaks, [1]);
  assert.equal(table(ROWS.map((row) => row.replace('5749.50', '5749.60')))?.breaks, [1, 2]);
});

test('a row missing at the end breaks no balance, but the closing balance that is printed', () => {
  assert.equal(table(ROWS.slice(0, 3), `${HEAD}Closing Balance,5049.50\n`)?.breaks, [1]);
});

test('a statement with the newest row first chains from below', () => {
  const [, ...rows] = ROWS;
  assert.equal(table(rows.toReversed())?.breaks, []);
  assert.equal(table(rows.toReversed().filter((_, at) => at !== 1))?.breaks?.length, 1);
});

test.run();

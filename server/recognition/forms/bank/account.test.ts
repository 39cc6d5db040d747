import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PlacedCell } from '../../testing/placed.ts';
import { placedPage } from '../../testing/placed.ts';
import { recognise } from '../../recognise.ts';
import { UNSURE } from '../../contract.ts';

/** The account numbers of a statement whose head has these lines, those to be asked about with a question mark. */
function accounts(...head: (string | PlacedCell[])[]): string[] {
  const rows: PlacedCell[][] = [
    [[20, 'Bank of Baroda']],
    [[20, 'Statement of Account']],
    ...head.map((line): PlacedCell[] => (typeof line === 'string' ? [[20, line]] : line)),
    [
      [20, 'Date'],
      [1000, 'Particulars'],
      [3000, 'Debit'],
      [3800, 'Credit'],
      [4600, 'Balance'],
    ],
    [
      [20, '02/04/2025'],
      [1000, 'NEFT A/C NO 77770000111'],
      [3000, '250.50'],
      [4600, '749.50'],
    ],
    [
      [20, '03/04/2025'],
      [1000, 'SALARY'],
      [3800, '5,000.00'],
      [4600, '5,749.50'],
    ],
  ];
  const { fields } = recognise([placedPage(rows.map((cells) => ({ cells })))], { fileType: 'pdf' });
  return fields.flatMap(({ key, value, sure }) =>
    key === 'account_no' ? [sure < UNSURE ? `${value}?` : value] : [],
  );
}

const four = (...texts: string[]): PlacedCell[] =>
  texts.map((text, column) => [[20, 1200, 3000, 4200][column]!, text]);

test('the number that its own label calls the account is the only one: the others would file the statement with a stranger', () => {
  assert.equal(accounts('PUNE 411038', 'Cust ID : 51234567', 'Account No : 50100123456789 SAVINGS'), [
    '50100123456789',
  ]);
  assert.equal(
    accounts(
      four('Name', 'SHARMA TRADERS', 'Customer No', '00412345'),
      four('A/c No.', '012345600001234', 'Branch Code', '0123'),
      four('Phone', '9820012345', 'Loan A/c No.', '610000000987654'),
    ),
    ['012345600001234'],
  );
  assert.equal(accounts(four('Account Number', '00000031234567890'), four('CIF No.', '85012345678')), [
    '00000031234567890',
  ]);
  assert.equal(accounts(four('ग्राहक क्रमांक', '000123456'), four('खाता क्रमांक', '001234567890123')), [
    '001234567890123',
  ]);
});

test('a number is the account by the heading above it, which a number of another column is not', () => {
  assert.equal(
    accounts(
      four('Customer Id', 'Account No', 'Mobile No', 'IFSC'),
      four('34567890', '159876543210', '9820012345', 'BARB0KOTHRU'),
    ),
    ['159876543210'],
  );
  assert.equal(
    accounts('Account Details', '411038', 'Customer No', '3012345678', 'Account No', '6123456789'),
    ['6123456789'],
  );
});

test('the PIN code below the title is no account where the account is not named', () => {
  assert.equal(accounts('PUNE', '411038', 'Phone no. : 18002026161'), []);
});

test('a user is asked where several accounts, or only a loan, are named', () => {
  assert.equal(accounts('Savings Account No: 50100123456789', 'Current Account No: 50200987654321'), [
    '50100123456789?',
    '50200987654321?',
  ]);
  assert.equal(
    accounts(four('Account Number', 'Type'), four('10012345678', 'SB'), four('10098765432', 'CA')),
    ['10012345678?', '10098765432?'],
  );
  assert.equal(accounts('Loan Account No: 80123456'), ['80123456?']);
});

test('a number that is also printed in part, or without its zeros, is one account', () => {
  assert.equal(
    accounts('Statement for A/c XXXXXXXXX2345', 'Account Number : 0001234101012345', 'A/c No 1234101012345'),
    ['0001234101012345'],
  );
});

test('a number of which only zeros, or others behind zeros, are shown is not taken for another account', () => {
  for (const hidden of ['XXXXXXX00012', 'XXXXXXXX0000'])
    assert.equal(accounts(`Account No ${hidden}`, 'Account No 50100123456712'), [
      `${hidden}?`,
      '50100123456712?',
    ]);
});

test('a label of many brackets, or a line of many numbers, takes no longer than others, since files may be hostile', () => {
  assert.equal(accounts(`Account No ${'()'.repeat(60)}x 50100123456789`), []);
  assert.equal(accounts(`Account No ${'50100123456789 '.repeat(3000)}`), []);
  const below = '50100123456789 '.repeat(190);
  assert.equal(accounts(`Account No ${'- '.repeat(50_000)}x`, below, below, below), []);
  assert.equal(accounts('Account No (SB) (INR) : 50100123456789'), ['50100123456789']);
});

test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recognise } from '../recognise.ts';

const read = (...lines: string[]) =>
  recognise([{ page: 1, label: '', text: lines.join('\n') }], { fileType: 'txt' });
const value = (recognised: ReturnType<typeof read>, key: string) =>
  recognised.fields.find((field) => field.key === key)?.value;
const transactions = (recognised: ReturnType<typeof read>) =>
  recognised.tables.find(({ key }) => key === 'transactions');

const STATEMENT = [
  'Sharma Bank',
  'Account Number   55512345678',
  'Cust ID   341223705',
  'IFSC   SBIN0000001',
  '',
  'Date        Narration                    Withdrawals  Deposits  Closing Balance',
  '02/04/2025  TO TRANSFER GST CHALLAN 774       250.50                     749.50',
  '03/04/2025  SALARY                                    5,000.00         5,749.50',
  '04/04/2025  ATM                               700.00                   5,049.50',
];

test('a document with a table of transactions is a bank statement, even without a title and with `challan` in a narration', () => {
  const found = read(...STATEMENT);
  assert.is(found.type, 'bank_statement');
  assert.equal(transactions(found)?.breaks, []);
});

test('the column heading `Closing Balance` is not taken for a label of the balance below it', () => {
  assert.is(value(read(...STATEMENT), 'closing_balance'), '504950');
});

test('a customer id beside the account number is not read as a second account number', () => {
  const accounts = read(...STATEMENT).fields.filter(({ key }) => key === 'account_no');
  assert.equal(
    accounts.map((one) => one.value),
    ['55512345678'],
  );
});

test('a balance as on the first day of the period is the opening balance', () => {
  const [bank = '', ...rest] = STATEMENT;
  const head = ['Statement of Account from 01/04/2025 to 30/04/2025', 'Balance as on 01/04/2025   1,000.00'];
  const found = read(bank, ...head, ...rest);
  assert.is(value(found, 'opening_balance'), '100000');
  assert.equal(transactions(found)?.breaks, []);
});

test('a row whose date cannot be read is reported, even if its balance follows', () => {
  const undated = STATEMENT.map((line) => line.replace(/^0(\d)\/04\/2025/, 'on day 0$1'));
  assert.ok((transactions(read(...undated))?.breaks ?? [0]).length > 0);
});

test('the dash of `:-` does not make the amount after it negative', () => {
  const [bank = '', ...rest] = STATEMENT;
  assert.is(value(read(bank, 'Opening Balance :- 1,000.00', ...rest), 'opening_balance'), '100000');
});

test("a ledger of a client's own books is not a bank statement", () => {
  const found = read(
    'Sharma Traders',
    'Ledger Account: HDFC Bank',
    'Date        Particulars          Vch Type  Vch No.  Debit     Credit    Balance',
    '01/04/2025  To Opening Balance                      9,000.00            9,000.00',
    '02/04/2025  By Sales             Receipt   12                 4,000.00  5,000.00',
  );
  assert.is.not(found.type, 'bank_statement');
});

test('a document that only mentions GST returns is not recognised as one', () => {
  const found = read(
    'Ravi Sharma',
    'Experience',
    'Accounts executive: preparation of GSTR-1 and GSTR-3B, TDS returns, reconciliation.',
  );
  assert.is(found.type, null);
});

test('the total of a challan is the amount beside its label, not the one below the heading `Amount`', () => {
  const found = read(
    'Income Tax Department',
    'Challan Receipt   ITNS 280',
    'PAN   AAAPZ0000A',
    'Major Head   0021',
    'Details of payment      Amount (Rs.)',
    'Tax                     1,000.00',
    'Interest                50.00',
    'Total                   1,050.00',
  );
  assert.is(value(found, 'total'), '105000');
});

test('the tax of an invoice is the one in its total, not that of the first line', () => {
  const found = read(
    'TAX INVOICE',
    'Invoice#  INV-7',
    'GSTIN  27AAAPZ0000Q1ZL',
    '#  Item        HSN   Taxable    IGST Amt   Amount',
    '1  Angle       7216  1,000.00   180.00     1,180.00',
    '2  Channel     7216  2,000.00   360.00     2,360.00',
    'Sub Total                       3,000.00',
    'Total IGST                      540.00',
    'Grand Total                     3,540.00',
  );
  assert.is(value(found, 'igst'), '54000');
});

test('the year of an audit report is that of the statements, not of its signature', () => {
  const found = read(
    "INDEPENDENT AUDITOR'S REPORT",
    'To the Members of Sharma Textiles Private Limited',
    'We have audited the financial statements as at 31st March 2025. In our opinion they give a true and fair view.',
    'Date: 10/09/2025',
  );
  assert.is(found.year, 2024);
});

test('a printed income tax return is distinguished from its acknowledgement', () => {
  const found = read(
    'FORM ITR-4 SUGAM   INDIAN INCOME TAX RETURN   Assessment Year 2025-26',
    'PART A GENERAL INFORMATION',
    'PAN   AAAPZ0000A',
    'Gross Total Income   8,00,000',
    'Total Income   6,50,000',
    'Refund   1,200',
  );
  assert.is(found.type, 'itr');
  assert.is(found.year, 2024);
  assert.is(value(found, 'total_income'), '65000000');
});

test('a credit note that names the original invoice is not taken for an invoice', () => {
  const found = read(
    'CREDIT NOTE (ORIGINAL FOR RECIPIENT)',
    'Sharma Traders, 12, Station Road, Nagpur',
    'GSTIN : 27AAAPZ0000Q1ZL',
    'Bill to',
    'Iyer Stores',
    'Place of supply : Maharashtra',
    'Credit Note  : CN/7',
    'No.',
    'Original  : INV/15',
    'Invoice No.',
    'Taxable Amount  CGST Amount  SGST Amount  Net Credit',
    '1,000.00        90.00        90.00        1,180.00',
  );
  assert.is(found.type, 'credit_note');
});

test('the employer on a provident fund challan is read after the establishment code', () => {
  const found = read(
    'COMBINED CHALLAN OF A/C NO. 01, 02, 10, 21 & 22',
    "EMPLOYEES' PROVIDENT FUND ORGANISATION",
    'TRRN : 1000000000000',
    'Establishment Code & Name : MHBAN0000000000 SHARMA STEEL PRIVATE LIMITED',
    'Dues for the wage month of May 2025',
    'Grand Total : 1,83,766',
  );
  assert.equal([found.type, value(found, 'name')], ['challan_pf', 'SHARMA STEEL PRIVATE LIMITED']);
});

test('the beginning of a text is stored for matching client names, with Aadhaar numbers masked', () => {
  const { head } = read('PARTNERSHIP DEED', 'between  Meera Rao, Aadhaar 9999 4105 7058,', 'and others');
  assert.is(head, 'PARTNERSHIP DEED between Meera Rao, Aadhaar XXXX XXXX 7058, and others');
});

test('an engagement letter that tells what the tax audit and its report will be is not taken for the report', () => {
  const found = read(
    'R K GUPTA & CO',
    'Chartered Accountants',
    'Subject: Engagement Letter - Tax Audit for the year ended 31 March 2025',
    'We are pleased to confirm our acceptance of the tax audit under section 44AB and our understanding of this engagement.',
    'Our report with UDIN will state whether in our opinion the accounts give a true and fair view.',
    'The audit will be conducted in accordance with Standards on Auditing.',
    'Our professional fees will be Rs. 25,000.',
  );
  assert.is(found.type, 'engagement_letter');
  assert.is(found.year, 2024);
});

test('Form 16A with its dates in one line covers their quarter, so that its name tells the four of a year apart', () => {
  const found = read(
    'FORM NO. 16A',
    'Certificate under section 203 of the Income-tax Act, 1961',
    'PAN of the deductee ABCPK1234F',
    'Assessment Year 2026-27',
    'Period From 01-Apr-2025 To 30-Jun-2025',
  );
  assert.is(found.type, 'form_16a');
  assert.is(found.period, '2025-26 Q1');
});

test('the supplier stands above the table of an invoice, whose heading may be larger and is never a name', () => {
  const rows: [size: number, ...cells: string[]][] = [
    [150, 'TAX INVOICE'],
    [120, 'Meghdoot Traders'],
    [120, 'GSTIN: 27AAPFU0939F1ZV'],
    [120, 'Invoice No: MT/118'],
    [140, 'HSN', 'Taxable', 'CGST 9% SGST 9%', 'Total'],
    [120, '8471', '1,000.00', '90.00 90.00', '1,180.00'],
  ];
  const boxes = rows.flatMap(([size, ...cells], row) =>
    cells.flatMap((cell, column) =>
      cell.split(' ').flatMap((_, nth) => {
        const left = 300 + column * 2000 + nth * 350;
        return [left, 400 + row * 300, 300, size];
      }),
    ),
  );
  const text = rows.map(([, ...cells]) => cells.join(' ')).join('\n');
  const found = recognise([{ page: 1, label: '', text, boxes }], { fileType: 'pdf' });
  assert.is(value(found, 'supplier_name'), 'Meghdoot Traders');
  const below = recognise(
    [
      {
        page: 1,
        label: '',
        text: 'Sharma\nQUALITY GOODS\nTAX INVOICE',
        boxes: [
          300, 300, 300, 110, 300, 500, 300, 130, 650, 500, 300, 130, 300, 700, 300, 110, 650, 700, 300, 110,
        ],
      },
    ],
    { fileType: 'pdf' },
  );
  const guessed = below.fields.find(({ key }) => key === 'supplier_name')!;
  assert.ok(guessed.sure < 0.9, 'a name that is only larger than one above it is asked in Review');
});

test('a register of sales is no invoice, whose buyer would get it filed, but a list of them', () => {
  const heads = ['Date', 'Invoice', 'Party', 'GSTIN', 'Taxable', 'IGST'];
  const rows = ['02', '03', '04'].map((day) =>
    [`${day}/04/2025`, `INV-${day}`, 'Meghdoot Traders', '27AAPFU0939F1ZV', '1000', '180'].join('\t'),
  );
  const text = [heads.join('\t'), ...rows].join('\n');
  const found = recognise([{ page: 1, label: '', text }], { fileType: 'xlsx' });
  assert.is(found.type, null);
  assert.is(value(found, 'buyer_gstin'), undefined);
});

test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recognise } from '../../recognise.ts';

const HEAD = [
  'Form 26AS Annual Tax Statement',
  'File Creation Date^Permanent Account Number (PAN)^Current Status of PAN^Financial Year^Assessment Year^Name of Assessee',
  '20-06-2026^AAAPZ0000A^Active^2025-26^2026-27^RAVI SHARMA',
];
const COLUMNS =
  'Sr. No.^Name of Deductor^TAN of Deductor^^^^^Total Amount Paid/Credited^Total Tax Deducted^Total TDS Deposited';
const DEDUCTED = ['PART-I - Details of Tax Deducted at Source', COLUMNS];
const WITHOUT_TAX = [
  'PART-II-Details of Tax Deducted at Source for 15G / 15H',
  COLUMNS,
  '1^STATE BANK OF INDIA^MUMZ00000B^^^^^45000.00^0.00^0.00',
];
const COLLECTED = [
  'PART-VI-Details of Tax Collected at Source',
  'Sr. No.^Name of Collector^TAN of Collector^^^^^Total Amount Paid/Debited^Total Tax Collected^Total TCS Deposited',
  '1^TATA MOTORS LIMITED^MUMZ00000B^^^^^1500000.00^15000.00^15000.00',
];
const EMPTY = 'No Transactions Present';

function read(...lines: string[]) {
  const found = recognise([{ page: 1, label: '', text: [...HEAD, ...lines].join('\n') }], {
    fileType: 'txt',
  });
  assert.is(found.type, 'form_26as');
  const value = (key: string) => found.fields.find((field) => field.key === key)?.value;
  const table = found.tables.find(({ key }) => key === 'tax_deducted');
  return [value('amount_paid'), value('tax_deducted'), table?.rows.length];
}

test('where no tax was deducted, neither tax collected nor interest without tax is taken for it', () => {
  const nothing = [undefined, undefined, undefined];
  assert.equal(read(...DEDUCTED, EMPTY, ...COLLECTED), nothing);
  assert.equal(read(...DEDUCTED, EMPTY, ...WITHOUT_TAX, ...COLLECTED), nothing);
  // Some files have no columns above an empty part.
  assert.equal(read(DEDUCTED[0]!, EMPTY, ...WITHOUT_TAX), nothing);
  assert.equal(
    read(
      'PART A - Details of Tax Deducted at Source',
      COLUMNS,
      EMPTY,
      'PART A1 - Details of Tax Deducted at Source for 15G / 15H',
      ...WITHOUT_TAX.slice(1),
    ),
    nothing,
  );
});

test('tax deducted is read up to the next part', () => {
  const deductor = '1^ACME TRADERS^MUMZ00000B^^^^^100000.00^10000.00^10000.00';
  assert.equal(read(...DEDUCTED, deductor, ...WITHOUT_TAX, ...COLLECTED), ['10000000', '1000000', 1]);
  // The parts may be listed above.
  const listed = [DEDUCTED[0]!, WITHOUT_TAX[0]!, COLLECTED[0]!];
  assert.equal(read(...listed, ...DEDUCTED, deductor, ...COLLECTED), ['10000000', '1000000', 1]);
  // The heading of the first part may be unreadable.
  assert.equal(read(COLUMNS, deductor, ...WITHOUT_TAX), ['10000000', '1000000', 1]);
});

test.run();

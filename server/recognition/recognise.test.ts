import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DOCUMENT_TYPES } from './contract.ts';
import { ALL } from './forms/all.ts';
import { recognise } from './recognise.ts';

const read = (text: string, fileType = 'txt') => recognise([{ page: 1, label: '', text }], { fileType });
/** All values of a key. */
const values = (text: string, key: string): string[] =>
  read(text).fields.flatMap((field) => (field.key === key && field.check !== 'failed' ? [field.value] : []));

test('rules fill only fields that their document type declares, because screens know no others', () => {
  for (const { type, fields = {} } of ALL)
    for (const key of Object.keys(fields))
      assert.ok((DOCUMENT_TYPES[type].fields as readonly string[]).includes(key), `${type} has no ${key}`);
});

test('a line of many dots, or of many words of sums, takes no longer than others in an invoice', () => {
  const invoice = (line: string) =>
    values(`TAX INVOICE\nGSTIN: 27AAAPZ0000Q1ZL\nInvoice No: 12\nBill To: Rao\n${line}`, 'igst');
  assert.equal(invoice(`IGST @ 18%${'.'.repeat(80)} 1,800.00`), ['180000']);
  assert.equal(invoice(`IGST ${'.'.repeat(2000)}x`), []);
  assert.equal(invoice(`${'Total '.repeat(500)}x`), []);
  assert.equal(invoice(`IGST ${'()'.repeat(500)}x`), []);
});

test('a bracket behind a label belongs to it, also after a space, as in "IGST (output)"', () => {
  for (const label of [
    'IGST(A)',
    'IGST (A)',
    'IGST (output)',
    'IGST : (in Rs. lakhs)',
    'IGST Amount (INR only)',
  ])
    assert.equal(
      values(`TAX INVOICE\nInvoice No: 12\nBill To: Rao\n${label}     1,800.00`, 'igst'),
      ['180000'],
      label,
    );
});

const VALID: Record<string, string[]> = {
  pan: ['AAAPZ0000A', 'ZZZCZ0000Z', 'AAAFZ0000B', 'AAAHZ0000C', 'AAATZ0000D'],
  gstin: ['27AAAPZ0000Q1ZL', '29AAACZ0000A1Z5', '07ZZZFZ0000Z1ZX', '33AAAHZ0000B2Z3', '09ZZZTZ0000C1ZB'],
  tan: ['DELZ00000A', 'MUMZ00000B', 'BLRZ00000C', 'CHEZ00000D', 'PNEZ00000E'],
  cin: ['U00000MH2020PTC000000', 'L00000DL1999PLC000000', 'U00000TN2015NPL000000'],
  ifsc: ['SBIN0000000', 'HDFC0ZZZZZZ', 'ICIC0000001'],
  arn: ['AA2704260000012', 'AB2911261234566', 'AD070126999999X'],
  udyam: ['UDYAM-MH-00-0000000', 'UDYAM-GJ-04-0000004'],
};
const LABELLED: [label: string, key: string, value: string][] = [
  ['DIN:', 'din', '00000001'],
  ['UDIN:', 'udin', '26000000AAAAAA0000'],
  ['Membership No.', 'mrn', '000000'],
  ['FRN:', 'frn', '000000N'],
  ['LLPIN', 'llpin', 'AAB-0000'],
  ['A/c No.', 'account_no', '000000000000'],
  ['BSR Code:', 'bsr', '0000001'],
  ['E-Way Bill No.', 'eway_bill_no', '100000000001'],
  ['IRN', 'irn', '5f'.repeat(32).toUpperCase()],
  ['UAN', 'uan', '100000000001'],
];

test('an identifier is recognised by its shape or its label, and marked failed if its check digit is wrong', () => {
  for (const [key, all] of Object.entries(VALID))
    for (const value of all) assert.equal(values(`See ${value}, please.`, key), [value], value);
  for (const [label, key, value] of LABELLED) {
    assert.equal(values(`${label} ${value}`, key), [value], label);
    assert.equal(values(`Something ${value}`, key), [], `${label} without its label`);
  }
  for (const wrong of ['27AAAPZ0000Q1ZM', '29AAACZ0000A1Z6', 'AA2704260000013']) {
    const found = read(`GSTIN ARN ${wrong}`).fields.find(({ value }) => value === wrong);
    assert.is(found?.check, 'failed', wrong);
    assert.ok(found!.sure < 0.5);
  }
});

test('dates, hashes of files, PANs within GSTINs and e-mail addresses are not read as identifiers', () => {
  assert.equal(values('LLP agreement dated 31-MAY-2026', 'llpin'), []);
  assert.equal(values(`SHA-256 of this file: ${'ab'.repeat(32)}`, 'irn'), []);
  assert.equal(values('GSTIN 27AAAPZ0000Q1ZL', 'pan'), []);
  assert.equal(values('UPI or mail to user@mail.com', 'vpa'), []);
  assert.equal(values('UDIN: 26000000AAAAAA0000', 'din'), []);
  assert.equal(values('Vehicle MHAB12345C', 'tan'), []);
});

test('only the last four digits of an Aadhaar number are in the result', () => {
  const found = read('Government of India\nAadhaar No: 9999 4105 7058\nAddress: near 9999-4105-7058, Pune');
  assert.equal(
    found.fields.filter(({ key }) => key === 'aadhaar').map(({ value, check }) => [value, check]),
    [['7058', 'checksum']],
  );
  assert.not.match(JSON.stringify(found), /9999|4105/);
});

test("two PANs without distinguishing labels are both kept, because either may be the client's", () => {
  assert.equal(values('PAN AAAPZ0000A of the buyer, PAN ZZZCZ0000Z of the seller', 'pan'), [
    'AAAPZ0000A',
    'ZZZCZ0000Z',
  ]);
});

test('a misread identifier is shown as it is written, because a number that is in no document would be used for a client', () => {
  const found = (text: string) => read(text).fields.map(({ key, value, check }) => [key, value, check]);
  assert.equal(found('GSTIN 27AAAPZOOOOQ1ZL'), [['gstin', '27AAAPZOOOOQ1ZL', 'failed']]);
  assert.equal(found('GSTIN 27AAAPZOOOOQ1ZM'), [], 'no correction of it passes the check digit');
  assert.equal(found('PAN AAAPZOOOOA'), []);
  // Letters for the last digits would pass the check digit, but no ordinary GSTIN has them.
  for (const wrong of ['29AAPFK4321M1ZB', '27AAPFS1234K1ZA'])
    for (const text of [wrong, `Form GSTR-3B\n[See rule 61(5)]\nGSTIN of the supplier: ${wrong}`])
      assert.equal(
        found(text).filter(([key]) => key === 'gstin'),
        [['gstin', wrong, 'failed']],
      );
});

test('the year of a computation is that before its assessment year, however tax software shortens the word', () => {
  for (const label of ['Assessment Year', 'Asst. Year', 'Asst.Year', 'Asstt. Yr.', 'A.Y.', 'A Y'])
    for (const written of [`${label} : 2025-2026`, `${label}   2025-26`]) {
      const found = read(
        `COMPUTATION OF TOTAL INCOME\nName of Assessee : Ravi Sharma\nPAN : AAAPZ0000A\n${written}\nGross Total Income   8,00,000`,
      );
      assert.equal([found.type, found.year, found.period], ['computation', 2024, 'FY 2024-25'], written);
    }
  const previous = read(
    'COMPUTATION OF TOTAL INCOME\nName of Assessee : Ravi Sharma\nPrevious Year : 2024-25\nAsst. Year : 2025-26',
  );
  assert.is(previous.year, 2024);
});

test('meaningless text has no type, and ten thousand pages are read in bounded time', () => {
  assert.is(read('qwertyuiop asdfghjkl zxcvbnm 1234567890').type, null);
  assert.is(recognise([], { fileType: 'pdf' }).type, null);
  const pages = Array.from({ length: 10_000 }, (_, index) => ({
    page: index + 1,
    label: '',
    text: 'Tax invoice no 12 of 1,200.00\n'.repeat(40),
  }));
  const began = process.cpuUsage().user;
  recognise(pages, { fileType: 'pdf' });
  assert.ok(process.cpuUsage().user - began < 15_000_000);
});

test('a JSON file of a portal is read by its keys, and an Aadhaar number in it is masked', () => {
  const found = read(
    JSON.stringify(
      {
        gstin: '27AAAPZ0000Q1ZL',
        ret_period: '032026',
        sup_details: { osup_det: { txval: 1200.5, iamt: 216.09 } },
      },
      null,
      1,
    ),
    'json',
  );
  assert.equal([found.type, found.year, found.period], ['gstr_3b', 2025, '2026-03']);
  const value = (key: string) => found.fields.find((field) => field.key === key)?.value;
  assert.equal(['gstin', 'outward_taxable', 'outward_igst'].map(value), [
    '27AAAPZ0000Q1ZL',
    '120050',
    '21609',
  ]);
  const itr = read(
    JSON.stringify({
      ITR: {
        ITR1: {
          Form_ITR1: { FormName: 'ITR-1', AssessmentYear: '2026' },
          PersonalInfo: { PAN: 'AAAPZ0000A', AadhaarCardNo: '999941057058' },
        },
      },
    }),
    'json',
  );
  assert.equal([itr.type, itr.year], ['itr', 2025]);
  assert.not.match(JSON.stringify(itr), /99994105/);
});

test('a long run of encoded data has no identifiers, since each would quote the whole run and the file could not be read', () => {
  const data = 'QUJD'.repeat(1000);
  const text = `${data}+AAAPZ0000A/${data}\nPAN AAAPZ0000A`;
  assert.equal(values(text, 'pan'), ['AAAPZ0000A']);
  assert.ok(JSON.stringify(read(text)).length < data.length);
});

test('in the text file of Form 26AS, with ^ between columns, each deduction has its deductor', () => {
  const found = read(
    [
      'Form 26AS Annual Tax Statement',
      'File Creation Date^Permanent Account Number (PAN)^Current Status of PAN^Financial Year^Assessment Year^Name of Assessee',
      '20-06-2026^AAAPZ0000A^Active^2025-26^2026-27^RAVI SHARMA',
      'PART-I - Details of Tax Deducted at Source',
      'Sr. No.^Name of Deductor^TAN of Deductor^^^^^Total Amount Paid/Credited^Total Tax Deducted^Total TDS Deposited',
      '1^ACME TRADERS^MUMZ00000B^^^^^100000.00^10000.00^10000.00',
      '^Sr. No.^Section^Transaction Date^Status of Booking^Date of Booking^Remarks^Amount Paid/Credited^Tax Deducted^TDS Deposited',
      '^1^194J^30-Jun-2025^F^20-Jul-2025^-^100000.00^10000.00^10000.00',
    ].join('\n'),
  );
  assert.equal([found.type, found.year], ['form_26as', 2025]);
  assert.equal(
    found.tables[0]?.rows.map(({ cells }) => cells),
    [['ACME TRADERS', 'MUMZ00000B', '194J', '2025-06-30', 'F', '10000000', '1000000', '1000000']],
  );
});

test.run();

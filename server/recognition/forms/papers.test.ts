import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recognise } from '../recognise.ts';

const read = (lines: string) => recognise([{ page: 1, label: '', text: lines }], { fileType: 'txt' });
/** The first value of each key. */
const values = (recognised: ReturnType<typeof read>, keys: readonly string[]) =>
  keys.map((key) => recognised.fields.find((field) => field.key === key && field.check !== 'failed')?.value);

const PAPERS: [type: string, text: string, fields: Record<string, string>][] = [
  [
    'audit_report',
    `INDEPENDENT AUDITOR'S REPORT
To the Members of Sharma Textiles Private Limited
Opinion
We have audited the financial statements of the company for the year ended 31 March 2026.
In our opinion they give a true and fair view in accordance with the standards on auditing.
Basis for opinion
For Mehta & Co.
Chartered Accountants
Firm Registration No. 000000W
Membership No. 000000
UDIN: 26000000AAAAAA0000
Place: Pune
Date: 30/09/2026`,
    { udin: '26000000AAAAAA0000', frn: '000000W', opinion: 'unmodified', date: '2026-09-30' },
  ],
  [
    'engagement_letter',
    `Engagement Letter
Date: 10/04/2026
Client: Sharma Traders
You have requested that we audit the accounts for the year ended 31 March 2026. We are pleased to confirm our acceptance.
Scope of work: statutory audit
Our professional fees: Rs. 75,000
For Mehta & Co.
Chartered Accountants
FRN: 000000W`,
    { name: 'Sharma Traders', date: '2026-04-10', fees: '7500000', frn: '000000W', year: 'FY 2025-26' },
  ],
  [
    'aadhaar',
    `Government of India
Unique Identification Authority of India
Ravi Sharma
DOB: 07/04/1980
MALE
Your Aadhaar No: 9999 4105 7058`,
    { aadhaar: '7058', date_of_birth: '1980-04-07', gender: 'male', name: 'Ravi Sharma' },
  ],
  [
    'incorporation',
    `Ministry of Corporate Affairs
CERTIFICATE OF INCORPORATION
I hereby certify that SHARMA TEXTILES PRIVATE LIMITED is incorporated on this 7 April 2020 under the Companies Act, 2013.
The Corporate Identity Number of the company is U00000MH2020PTC000000
The Permanent Account Number (PAN) of the company is ZZZCZ0000Z`,
    { cin: 'U00000MH2020PTC000000', pan: 'ZZZCZ0000Z', date_of_incorporation: '2020-04-07' },
  ],
  [
    'deed',
    `PARTNERSHIP DEED
This deed is made on this 7 April 2020 between
1. Shri Ravi Sharma, aged 40, hereinafter called the party of the first part, and
2. Smt. Anita Mehta, aged 38, the party of the second part.
The business shall be carried on in the name of M/s Sharma Traders.
In witness whereof the parties hereto have signed.`,
    { deed_kind: 'partnership', date: '2020-04-07', partners: 'Ravi Sharma, Anita Mehta' },
  ],
  [
    'cheque',
    `HDFC Bank
Pay  Sharma Traders  or bearer
Rupees  Twelve thousand only
Date: 07/04/2026
Rs. 12,000.00
A/c No. 50100012345678
IFSC: HDFC0000001
Valid for three months only. Please sign above`,
    { amount: '1200000', account_no: '50100012345678', ifsc: 'HDFC0000001', date: '2026-04-07' },
  ],
];

for (const [type, text, fields] of PAPERS)
  test(`a document of type ${type} is recognised and read by its title and words`, () => {
    const found = read(text);
    assert.is(found.type, type);
    assert.equal(values(found, Object.keys(fields)), Object.values(fields));
    assert.not.match(JSON.stringify(found), /9999|4105/);
  });

const form16 = (year: string, rest = '') => `FORM NO. 16
Certificate under section 203 of the Income-tax Act, 1961
Name of the employer: Mehta Foods LLP
TAN of the Deductor: MUMZ00000B
PAN of the Deductor: ZZZCZ0000Z
PAN of the Employee: AAAPZ0000A
Assessment Year: ${year}
${rest}`;

test("the year of a form is its assessment year's, not that of other dates on it", () => {
  const found = read(`${form16('2025-26')}Last updated on: 12/06/2026`);
  assert.equal([found.type, found.year], ['form_16', 2024]);
  const [value] = values(found, ['year']);
  assert.is(value, 'FY 2024-25');
});

test('the PAN of the employer and of the employee are distinguished by their labels, or a form would be filed with the employer', () => {
  const found = read(form16('2026-27'));
  assert.equal(values(found, ['employer_pan', 'employee_pan', 'employer_tan']), [
    'ZZZCZ0000Z',
    'AAAPZ0000A',
    'MUMZ00000B',
  ]);
});

test('an amount after `(-)` in the row for tax and refund of an ITR-V is a refund, with or without a blank between', () => {
  const row = '(+)Tax Payable /(-)Refundable (6-7)';
  const of = (text: string) =>
    values(
      read(`INDIAN INCOME TAX RETURN ACKNOWLEDGEMENT   Assessment Year 2025-26
PAN   AAAPZ0000A
Name   RAVI SHARMA
Form Number   ITR-3
Filed u/s   139(1)-On or before due date
Total Income   1   8,50,000
Taxes Paid   7   92,340
${text}`),
      ['refund', 'payable'],
    );
  for (const amount of ['(-) 12,340', '(-)12,340', '( - ) 12,340', '(-) ₹ 12,340', '-12,340'])
    for (const text of [`${row}   8   ${amount}`, `${row} 8   ${amount}`, `${row}   ${amount}`])
      assert.equal(of(text), ['1234000', undefined], text);
  for (const amount of ['(+) 12,340', '(+)12,340', '12,340'])
    for (const text of [`${row}   8   ${amount}`, `${row}   ${amount}`])
      assert.equal(of(text), [undefined, '1234000'], text);
});

test('the challans in a TDS certificate are read as a table: amount, branch, date, serial number, status', () => {
  const found = read(
    form16(
      '2026-27',
      `Sl. No.  Tax Deposited  BSR Code  Date on which tax deposited  Challan Serial Number  Status
1  10,000.00  0000001  07-05-2025  00012  F
2  12,500.00  0000001  07/06/2025  00345  U
Total (Rs.)  22,500.00`,
    ),
  );
  const table = found.tables.find(({ key }) => key === 'tax_challans');
  assert.equal(
    table?.rows.map(({ cells }) => cells),
    [
      ['1000000', '0000001', '2025-05-07', '00012', 'F'],
      ['1250000', '0000001', '2025-06-07', '00345', 'U'],
    ],
  );
});

test('the number of a buyer is not read as a name, not even where its heading is the first of the buyer', () => {
  const invoice = (buyer: string) => `TAX INVOICE
Gupta Agencies
GSTIN: 27AAAPZ0000Q1ZL
Invoice No: GA/2025-26/001
Date: 11/08/2025
${buyer}
Taxable value 10,000.00
CGST 900.00
SGST 900.00
Total 11,800.00`;
  const keys = ['buyer_name', 'buyer_gstin'];
  assert.equal(values(read(invoice('Buyer GSTIN: 29AAACZ0000A1Z5')), keys), [undefined, '29AAACZ0000A1Z5']);
  assert.equal(values(read(invoice('Buyer: 29AAACZ0000A1Z5')), keys), [undefined, '29AAACZ0000A1Z5']);
  const both = 'Buyer GSTIN: 29AAACZ0000A1Z5\nBill to: Sharma Traders';
  assert.equal(values(read(invoice(both)), keys), ['Sharma Traders', '29AAACZ0000A1Z5']);
});

test.run();

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { UNSURE } from '../../contract.ts';
import { recognise } from '../../recognise.ts';
import { LINE, centred, leftAligned, placedPage } from '../../testing/placed.ts';

const read = (...lines: string[]) =>
  recognise([{ page: 1, label: '', text: lines.join('\n') }], { fileType: 'txt' });
const field = ({ fields }: ReturnType<typeof read>, key: string) => fields.find((one) => one.key === key);
const values = (found: ReturnType<typeof read>, ...keys: string[]) =>
  keys.map((key) => field(found, key)?.value);

test('figures whose heading is open are of no year where an assessment year is named: it begins a year later', () => {
  const rows = [
    { cells: [[2500, 'FORM NO. 16']] as const },
    { cells: centred(2400, 'Assessment Year', 'Tax Deducted', 'Remarks') },
    { cells: [...leftAligned(2400, '2026-27'), ...leftAligned(2400, '', '1,000.00')] },
  ];
  assert.is(recognise([placedPage(rows)], { fileType: 'pdf' }).year, null);
  assert.is(
    read('Rent receipt', '2025-26 (A.Y. 2026-27)').year,
    2025,
    'the words beside other figures say it',
  );
});

test('the period with the employer is read where both of its dates are in one cell', () => {
  const rows = [
    { cells: [[2500, 'FORM NO. 16']] as const },
    { cells: centred(3000, 'Assessment Year', 'Period with the Employer') },
    { cells: leftAligned(3000, '2026-27', '01-Apr-2025 to 30-Nov-2025') },
  ];
  const found = recognise([placedPage(rows)], { fileType: 'pdf' });
  assert.equal(values(found, 'year', 'period_from', 'period_to'), ['FY 2025-26', '2025-04-01', '2025-11-30']);
});

test('a year that the period of the certificate contradicts is asked in Review and is not yet that of the document', () => {
  const lines = ['FORM NO. 16A', 'Certificate under section 203', 'Assessment Year 2026-27'];
  const right = read(...lines, 'Period 01-Jul-2025 to 30-Sep-2025');
  assert.ok(field(right, 'year')!.sure > 0.9);
  assert.is(right.period, '2025-26 Q2');
  const either = read(...lines, 'Period 01-Jul-2026 to 30-Sep-2026');
  assert.ok(field(either, 'year')!.sure < 0.9);
  assert.is(either.year, null);
});

test('a number in a cell that begins with its owner is the owner’s, so that an employee’s certificate is not the employer’s', () => {
  const title = ['FORM NO. 16', 'Certificate under section 203'];
  const numbers = ['employer_pan', 'employer_tan', 'employee_pan'];
  const expected = ['AAJCS4321K', 'PNES12345B', 'CQBPB3399J'];
  const employer = 'Employer: Sahyadri Textiles Pvt Ltd, TAN PNES12345B, PAN AAJCS4321K';
  const found = read(...title, `${employer}    Employee: Leela Bhat, PAN CQBPB3399J`);
  assert.equal(values(found, ...numbers), expected);
  assert.equal(values(read(...title, 'Employee: Leela Bhat', employer), ...numbers), [
    ...expected.slice(0, 2),
    undefined,
  ]);
  const contractor = read(
    'FORM NO. 16A',
    'Deductor: Sahyadri Textiles Pvt Ltd, TAN PNES12345B, PAN AAJCS4321K',
    'Deductee: Leela Bhat, PAN CQBPB3399J',
  );
  assert.equal(values(contractor, 'deductor_pan', 'deductor_tan', 'deductee_pan'), expected);
});

test('a name ends before the label of a number on the next line of its cell', () => {
  const page = placedPage([
    { cells: [[2500, 'FORM NO. 16']] as const },
    {
      cells: [
        [20, 'Employer: Sahyadri Textiles Pvt Ltd'] as const,
        [3000, 'Employee: Leela Bhat, PAN'] as const,
      ],
    },
    { cells: [[3000, 'CQBPB3399J']] as const, after: LINE },
  ]);
  const found = recognise([page], { fileType: 'pdf' });
  assert.equal(values(found, 'employee_name', 'employee_pan'), ['Leela Bhat', 'CQBPB3399J']);
});

test('the second line of a heading is not the label of a name', () => {
  const heads = (...cells: string[]) => ({ cells: centred(1500, ...cells) });
  const page = placedPage([
    { cells: [[2500, 'FORM NO. 16']] as const },
    heads('PAN of the', 'TAN of the', 'PAN of the', 'Reference No. (If'),
    { ...heads('Deductor', 'Deductor', 'Employee', 'available)'), after: LINE },
    { cells: leftAligned(1500, 'AADCD7788Q', 'PNED09876C', 'CNSPS1177K') },
  ]);
  const found = recognise([page], { fileType: 'pdf' });
  assert.equal(values(found, 'employee_name', 'employee_pan'), [undefined, 'CNSPS1177K']);
});

test('a total of tax that is not the sum of its quarters is asked in Review, and so is no other total', () => {
  const unsure = (total: string) =>
    read(
      'FORM NO. 16',
      'Quarter(s)  Receipt Numbers  Amount paid/credited  Amount of tax deducted  Amount of tax deposited',
      'Q1          QVXAAAAB                  2,40,000.00               10,000.00                10,000.00',
      'Q2          QVXAAAAC                  2,40,000.40               12,000.00                12,000.00',
      `Total                                 4,80,000.00               ${total}                22,000.00`,
    ).fields.flatMap(({ key, kind, sure }) => (kind === 'amount' ? [`${key} ${sure < UNSURE}`] : []));
  assert.equal(unsure('22,000.00'), ['amount_paid false', 'tax_deducted false', 'tax_deposited false']);
  assert.equal(unsure('25,000.00'), ['amount_paid false', 'tax_deducted true', 'tax_deposited false']);
});

test('a heading is read to its last line where the lines of its cells are between each other', () => {
  const lines = [
    [[3500, 'Amount of tax']],
    [
      [1500, 'Amount'],
      [2500, 'Amount of tax'],
    ],
    [
      [20, 'Quarter'],
      [800, 'Receipt No'],
      [3500, 'deposited'],
    ],
    [
      [1500, 'paid'],
      [2500, 'deducted'],
    ],
    [[3500, '/ remitted']],
  ] as const;
  const page = placedPage([
    { cells: [[2500, 'FORM NO. 16']] },
    ...lines.map((cells, index) => ({ cells, after: index === 0 ? 170 : 55 })),
    {
      cells: [
        [20, 'Q1'],
        [800, 'QVXAAAAB'],
        [1500, '90,000.00'],
        [2500, '10,000.00'],
        [3500, '9,000.00'],
      ],
    },
    {
      cells: [
        [20, 'Total'],
        [1500, '90,000.00'],
        [2500, '10,000.00'],
        [3500, '9,000.00'],
      ],
    },
  ]);
  const found = recognise([page], { fileType: 'pdf' });
  assert.equal(values(found, 'amount_paid', 'tax_deducted', 'tax_deposited'), [
    '9000000',
    '1000000',
    '900000',
  ]);
  assert.equal(found.tables[0]?.rows[0]?.cells, ['Q1', 'QVXAAAAB', '9000000', '1000000', '900000']);
});

test.run();

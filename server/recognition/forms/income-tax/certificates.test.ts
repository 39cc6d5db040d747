import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { recognise } from '../../recognise.ts';
import { centred, leftAligned, placedPage } from '../../testing/placed.ts';

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

test.run();

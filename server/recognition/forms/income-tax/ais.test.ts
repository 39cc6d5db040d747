import PdfDocument from 'pdfkit';
import { buffer } from 'node:stream/consumers';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Budget } from '#server/reading/readers/limits.ts';
import { readPdf } from '#server/reading/readers/pdf.ts';
import { recognise } from '../../recognise.ts';

/** Points from the left. */
const [PARENT, CHILD] = [
  [30, 75, 150, 290, 460, 500],
  [30, 75, 150, 240, 330, 420, 510],
];
type PrintedLine = [left: readonly number[], cells: readonly string[]];
const HEADS: PrintedLine = [
  PARENT!,
  ['SR. NO.', 'INFORMATION CODE', 'INFORMATION DESCRIPTION', 'INFORMATION SOURCE', 'COUNT', 'AMOUNT'],
];
const QUARTER_HEADS: PrintedLine = [
  CHILD!,
  [
    'SR. NO.',
    'QUARTER',
    'DATE OF PAYMENT/CREDIT',
    'AMOUNT PAID/CREDITED',
    'TDS DEDUCTED',
    'TDS DEPOSITED',
    'STATUS',
  ],
];
const LINES: PrintedLine[] = [
  [[30], ['Annual Information Statement (AIS)']],
  [
    [30, 200],
    ['Financial Year: 2025-26', 'Permanent Account Number (PAN): AAAPZ0000A'],
  ],
  [[30], ['Part B1-Information relating to tax deducted or collected at source']],
  HEADS,
  [PARENT!, ['1', 'TDS-192', 'Salary received', 'MEHTA LIMITED (PNEM00000A)', '2', '1,50,000']],
  QUARTER_HEADS,
  [CHILD!, ['1', 'Q4(Jan-Mar)', '28/02/2026', '80,000', '8,000', '8,000', 'Active']],
  [CHILD!, ['2', 'Q3(Oct-Dec)', '31/12/2025', '70,000', '7,000', '0', 'Inactive']],
  HEADS,
  [PARENT!, ['2', 'TDS-194A', 'Interest other than', 'KAVERI BANK (MUMK00000B)', '1', '12,500']],
  QUARTER_HEADS,
  [CHILD!, ['1', 'Q1(Apr-Jun)', '30/06/2025', '12,500', '1,250', '1,250', 'Active']],
];
const EXPECTED = [
  [
    'TDS-192',
    'MEHTA LIMITED (PNEM00000A)',
    '2025-26 Q4',
    '2026-02-28',
    '8000000',
    '800000',
    '800000',
    'Active',
  ],
  ['TDS-192', 'MEHTA LIMITED (PNEM00000A)', '2025-26 Q3', '2025-12-31', '7000000', '700000', '0', 'Inactive'],
  [
    'TDS-194A',
    'KAVERI BANK (MUMK00000B)',
    '2025-26 Q1',
    '2025-06-30',
    '1250000',
    '125000',
    '125000',
    'Active',
  ],
];

test('the quarterly payments of an AIS are read with the deductor above them', async () => {
  const page = new PdfDocument({ size: 'A4', margin: 20 });
  const bytes = buffer(page);
  page.fontSize(6.5);
  for (const [row, [left, cells]] of LINES.entries())
    for (const [column, cell] of cells.entries())
      page.text(cell, left[column]!, 40 + row * 16, { lineBreak: false });
  page.end();
  const { pages } = await readPdf(await bytes, new Budget(false));
  const { type, tables } = recognise(pages, { fileType: 'pdf' });
  assert.is(type, 'ais');
  const rows = (key: string) => tables.find((one) => one.key === key)!.rows;
  assert.equal(
    rows('payments_by_quarter').map(({ cells }) => cells),
    EXPECTED,
  );
  assert.ok(rows('payments_by_quarter').every(({ box }) => box![2] > 4000));
  assert.equal(
    rows('information').map(({ cells }) => cells[4]),
    ['15000000', '1250000'],
  );
});

test.run();

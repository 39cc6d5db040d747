import type { Line } from '../../layout/page.ts';
import { boxOf } from '../../layout/page.ts';
import type { ColumnRule } from '../../layout/table.ts';
import { findHeader, linesBelow, rowOf, textOf } from '../../layout/table.ts';
import { findAmount } from '../../layout/values.ts';
import { readDate } from '../../values/dates.ts';
import type { Reading } from '../rules.ts';
import { addTable } from '../tables.ts';

const COLUMNS: ColumnRule[] = [
  { key: 'serial', heads: 'sr no|s no|sl no' },
  { key: 'quarter', heads: 'quarter' },
  { key: 'date', heads: 'date of (?:payment ?/? ?credit|payment|receipt|credit|debit)|transaction date' },
  {
    key: 'amount_paid',
    isNumber: true,
    heads: 'amount (?:paid ?/? ?(?:or )?credited|paid|received(?: ?/? ?debited)?|debited)|purchase amount',
  },
  { key: 'tax_deducted', isNumber: true, heads: '(?:tds|tax) deducted|(?:tcs|tax) collected|tds|tcs' },
  { key: 'tax_deposited', isNumber: true, heads: '(?:tds|tcs|tax) deposited|deposited' },
  { key: 'status', heads: 'status' },
];
const NEEDS = [['quarter'], ['amount_paid'], ['tax_deducted', 'tax_deposited']];
const AMOUNTS = ['amount_paid', 'tax_deducted', 'tax_deposited'] as const;

/** `Q4(Jan-Mar)`; the date of payment stands beside it. */
const QUARTER = /(?<![A-Z0-9])Q(?:UARTER)?[\s-]?([1-4])(?!\d)/i;
const STATUS = /\b(?:in)?active\b/i;

/** A row with the party and kind of income; the payments of its quarters are in the rows below it. */
interface InformationRow {
  line: Line;
  code: string;
  source: string;
}

/** Reads the payments and deductions by date below each row of the statement. */
export function readQuarterRows(reading: Reading, information: readonly InformationRow[]): void {
  const { layout } = reading;
  const header = findHeader(layout.lines, COLUMNS, NEEDS);
  if (!header) return;
  const year = reading.value('year')?.replace(/^FY (.*)$/, '$1 ') ?? '';
  const parents = information.map((row) => ({ ...row, index: layout.lines.indexOf(row.line) }));
  const rows = [];
  for (const { line, index, columns } of linesBelow(layout, header, COLUMNS, NEEDS)) {
    const quarter = QUARTER.exec(line.text)?.[1];
    const day = readDate(line.text)?.day ?? null;
    if (!quarter || !day) continue;
    const row = rowOf(line, columns);
    const amounts = AMOUNTS.map((key) => findAmount(textOf(row[key]))?.value ?? null);
    if (amounts[0] === null) continue;
    const parent = parents.findLast((row) => row.index < index);
    const status = STATUS.exec(line.text)?.[0] ?? null;
    rows.push({
      page: line.page,
      box: boxOf(layout, line.words),
      cells: [parent?.code || null, parent?.source || null, `${year}Q${quarter}`, day, ...amounts, status],
    });
  }
  addTable(reading, 'payments_by_quarter', rows);
}

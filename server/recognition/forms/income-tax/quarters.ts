import type { Reading } from '../rules.ts';
import { findHeader, linesBelow, rowOf, textOf } from '../../layout/table.ts';
import type { ColumnRule, Row } from '../../layout/table.ts';
import type { Line } from '../../layout/page.ts';
import { findAmount } from '../../layout/values.ts';
import { boxOf } from '../../layout/page.ts';
import { addTable } from '../tables.ts';

const COLUMNS: ColumnRule[] = [
  { key: 'quarter', heads: 'quarter(?: s|\\(s\\))?' },
  { key: 'receipt_no', heads: 'receipt numbers?|receipt no|acknowledgement no' },
  {
    key: 'amount_paid',
    isNumber: true,
    heads: 'amount paid (?:or )?credited|amount paid|paid or credited',
  },
  { key: 'tax_deducted', isNumber: true, heads: 'amount of tax deducted|tax deducted|tds deducted' },
  {
    key: 'tax_deposited',
    isNumber: true,
    heads: 'amount of tax deposited(?: or remitted)?|tax deposited|deposited or remitted|tds deposited',
  },
];
const NEEDS = [['quarter'], ['amount_paid', 'tax_deducted'], ['tax_deposited', 'tax_deducted']];

const TOTALS = ['amount_paid', 'tax_deducted', 'tax_deposited'] as const;
/** Confidence in a total that is not the sum of its quarters; each may be rounded to a rupee. */
const [CONTRADICTED, ROUNDING] = [0.5, 100];

/** Leaves a total to a user where the quarters above do not add up to it, since either may be misread or altered. */
function doubtTotals({ fields }: Reading, quarters: readonly (string | null)[][]): void {
  for (const key of TOTALS) {
    const column = COLUMNS.findIndex((one) => one.key === key);
    const amounts = quarters.flatMap((cells) => cells[column] ?? []).map(Number);
    const field = fields.find((one) => one.key === key);
    // A quarter without the amount was not read.
    if (!field || amounts.length < quarters.length || amounts.length === 0) continue;
    const sum = amounts.reduce((total, amount) => total + amount, 0);
    if (Math.abs(sum - Number(field.value)) > ROUNDING * amounts.length)
      field.sure = Math.min(field.sure, CONTRADICTED);
  }
}

/** Part A of Form 16: what was paid and deducted in each quarter, and the totals under it. */
export function readQuarters(reading: Reading, asTable = true): void {
  const { layout } = reading;
  const header = findHeader(layout.lines, COLUMNS, NEEDS);
  if (!header) return;
  // With a single quarter, its row is the total.
  let only: { line: Line; row: Row } | null = null;
  const rows: { page: number; words: (typeof layout.lines)[number]['words']; cells: (string | null)[] }[] =
    [];
  const year = reading.value('year')?.replace(/^FY (.*)$/, '$1 ') ?? '';
  for (const { line, columns } of linesBelow(layout, header, COLUMNS, NEEDS)) {
    const row = rowOf(line, columns);
    const quarter = /^q(?:uarter)?[\s-]?([1-4])\b/i.exec(line.text)?.[1];
    const cells = COLUMNS.map(({ key, isNumber }) =>
      isNumber ? (findAmount(textOf(row[key]))?.value ?? null) : textOf(row[key]) || null,
    );
    if (quarter) {
      only = rows.length === 0 ? { line, row } : null;
      rows.push({ page: line.page, words: line.words, cells: [`${year}Q${quarter}`, ...cells.slice(1)] });
    } else if (/total/i.test(line.text)) {
      for (const key of TOTALS) {
        const words = row[key] ?? [];
        const found = findAmount(textOf(words));
        if (found && !reading.value(key))
          reading.add(key, found.value, words, line.page, 'form_16.quarters.total');
      }
      break;
    } else if (rows.length > 0 && line.page !== rows.at(-1)!.page) break;
  }
  for (const key of only ? TOTALS : []) {
    const words = only!.row[key] ?? [];
    const found = findAmount(textOf(words));
    if (found && !reading.value(key))
      reading.add(key, found.value, words, only!.line.page, `${reading.type}.quarters.only`);
  }
  doubtTotals(
    reading,
    rows.map(({ cells }) => cells),
  );
  if (!asTable) return;
  addTable(
    reading,
    'quarters',
    rows.map(({ page, words, cells }) => ({ page, box: boxOf(layout, words), cells })),
  );
}

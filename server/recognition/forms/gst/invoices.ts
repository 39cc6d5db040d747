import { boxOf } from '../../layout/page.ts';
import type { ColumnRule } from '../../layout/table.ts';
import { findHeader, linesBelow, rowOf, textOf } from '../../layout/table.ts';
import { findAmount, findIdentifier } from '../../layout/values.ts';
import { readDate } from '../../values/dates.ts';
import type { Reading } from '../rules.ts';
import { addTable } from '../tables.ts';

const COLUMNS: ColumnRule[] = [
  {
    key: 'gstin',
    heads:
      'gstin of (?:the )?supplier|gstin/?uin of (?:the )?recipient|gstin(?: uin)?|supplier gstin|recipient gstin',
  },
  { key: 'name', heads: 'trade/?legal name|trade name|legal name|supplier name|receiver name|name' },
  { key: 'invoice_no', heads: 'invoice (?:no|number)|document (?:no|number)|inv no|number' },
  { key: 'date', heads: 'invoice date|document date|inv date|date' },
  { key: 'total', isNumber: true, heads: 'invoice value|document value|total value' },
  { key: 'taxable_value', isNumber: true, heads: 'taxable value|taxable amount|taxable' },
  { key: 'igst', isNumber: true, heads: 'integrated tax|igst' },
  { key: 'cgst', isNumber: true, heads: 'central tax|cgst' },
  { key: 'sgst', isNumber: true, heads: 'state/?ut tax|sgst' },
];
const NEEDS = [['gstin'], ['invoice_no'], ['taxable_value', 'total']];

/** Reads the listed invoices, each with the GSTIN of the other party. */
export function readInvoices(reading: Reading): void {
  const { layout } = reading;
  const header = findHeader(layout.lines, COLUMNS, NEEDS);
  if (!header) return;
  const rows = [];
  for (const { line, columns } of linesBelow(layout, header, COLUMNS, NEEDS)) {
    const gstin = findIdentifier(line.text, 'gstin');
    if (!gstin) continue;
    const row = rowOf(line, columns);
    const amount = (key: string) => findAmount(textOf(row[key]))?.value ?? null;
    rows.push({
      page: line.page,
      box: boxOf(layout, line.words),
      cells: [
        gstin.value,
        textOf(row.name) || null,
        textOf(row.invoice_no) || null,
        readDate(textOf(row.date))?.day ?? null,
        ...['taxable_value', 'igst', 'cgst', 'sgst', 'total'].map(amount),
      ],
    });
  }
  addTable(reading, 'invoices', rows);
}

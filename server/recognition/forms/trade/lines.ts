import { boxOf } from '../../layout/page.ts';
import type { Word } from '../../layout/page.ts';
import type { ColumnRule } from '../../layout/table.ts';
import { findHeader, linesBelow, rowOf, textOf } from '../../layout/table.ts';
import { findAmount } from '../../layout/values.ts';
import type { Reading } from '../rules.ts';
import { addTable } from '../tables.ts';

const COLUMNS: ColumnRule[] = [
  { key: 'serial', heads: 's ?no|sr ?no|sl ?no|#|sn|no' },
  {
    key: 'description',
    heads:
      'description(?: of (?:goods|services|goods (?:and|&|or) services))?|particulars|item(?: name| description)?|product|name of (?:product|item)|goods|services?',
  },
  { key: 'hsn', heads: 'hsn/?sac(?: code)?|sac/?hsn(?: code)?|hsn(?: code)?|sac(?: code)?' },
  { key: 'quantity', isNumber: true, heads: 'qty|quantity|qnty' },
  { key: 'unit', heads: 'uom|unit(?!\\s*price)|per' },
  { key: 'rate', isNumber: true, heads: 'rate|unit price|price|rate per unit|price/unit' },
  { key: 'discount', isNumber: true, heads: 'disc(?:ount)?' },
  { key: 'taxable_value', isNumber: true, heads: 'taxable value|taxable amount|taxable amt|taxable' },
  { key: 'tax_rate', isNumber: true, heads: 'gst ?%|gst rate|tax rate|gst|tax ?%|igst ?%|rate ?%' },
  { key: 'tax', isNumber: true, heads: 'igst|cgst|sgst|tax amount|gst amt|gst amount' },
  { key: 'amount', isNumber: true, heads: 'amount|total|line total|value|net amount|total amount' },
];
const NEEDS = [['description'], ['hsn', 'quantity', 'rate'], ['amount', 'taxable_value']];
const END =
  /^\W*(?:sub\W?total|total|taxable|grand|cgst|sgst|igst|round|amount in words|rupees|add\b|less\b|e\s?&\s?o|bank|terms|tax amount|output)/i;
const COUNT = /^\d+(?:\.\d+)?/;

/** The goods and services of an invoice. */
export function readLines(reading: Reading): void {
  const { layout } = reading;
  const header = findHeader(layout.lines, COLUMNS, NEEDS);
  if (!header) return;
  const rows: { page: number; words: Word[]; cells: (string | null)[] }[] = [];
  for (const { line, columns } of linesBelow(layout, header, COLUMNS, NEEDS)) {
    const row = rowOf(line, columns);
    const amount = (key: string) => findAmount(textOf(row[key]).replace(/%$/, ''))?.value ?? null;
    const count = (key: string) => COUNT.exec(textOf(row[key]).replaceAll(',', ''))?.[0] ?? null;
    if (END.test(line.text)) break;
    const [worth, taxable] = [amount('amount'), amount('taxable_value')];
    if (worth !== null || taxable !== null) {
      const quantity = count('quantity');
      const rate = count('tax_rate');
      rows.push({
        page: line.page,
        words: [...line.words],
        cells: [
          textOf(row.description) || null,
          /\d{4,8}/.exec(textOf(row.hsn))?.[0] ?? null,
          quantity === null ? null : String(Number(quantity)),
          amount('rate'),
          taxable,
          rate === null ? null : String(Number(rate)),
          worth,
        ],
      });
    } else if (row.description && rows.length > 0 && line.cells.length <= 2) {
      const last = rows.at(-1)!;
      if (
        last.page === line.page &&
        line.top - Math.max(...last.words.map(({ bottom }) => bottom)) < (line.bottom - line.top) * 0.8
      ) {
        last.cells[0] = `${last.cells[0] ?? ''} ${textOf(row.description)}`.trim();
        last.words.push(...line.words);
      }
    }
  }
  addTable(
    reading,
    'lines',
    rows.map(({ page, words, cells }) => ({ page, box: boxOf(layout, words), cells })),
  );
}

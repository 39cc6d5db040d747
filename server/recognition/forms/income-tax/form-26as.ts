import { ASSESSMENT_YEAR, FINANCIAL_YEAR } from '#server/text/written-years.ts';
import type { Line } from '../../layout/page.ts';
import { boxOf } from '../../layout/page.ts';
import type { ColumnRule } from '../../layout/table.ts';
import { findHeader, linesBelow, rowOf, textOf } from '../../layout/table.ts';
import { findAmount } from '../../layout/values.ts';
import { readDate } from '../../values/dates.ts';
import type { Reading, TypeRules } from '../rules.ts';
import { addTable } from '../tables.ts';

const DEDUCTOR: ColumnRule[] = [
  { key: 'name', heads: 'name of deductor|name of (?:the )?(?:deductor|collector)|deductor name' },
  { key: 'tan', heads: 'tan of deductor|tan of (?:the )?(?:deductor|collector)|tan' },
  {
    key: 'amount_paid',
    isNumber: true,
    heads:
      'total amount paid[ /]?credited|total amount paid credited|amount paid credited|total amount paid|amount paid',
  },
  { key: 'tax_deducted', isNumber: true, heads: 'total tax deducted|tax deducted|tds deducted' },
  {
    key: 'tax_deposited',
    isNumber: true,
    heads: 'total tds deposited|tds deposited|tax deposited|total tax deposited',
  },
];
const DETAIL: ColumnRule[] = [
  { key: 'section', heads: 'section' },
  { key: 'date', heads: 'transaction date|date of (?:payment|transaction)|date of payment credit' },
  { key: 'status', heads: 'status of booking|status' },
  { key: 'booked', heads: 'date of booking' },
  { key: 'remarks', heads: 'remarks' },
  { key: 'amount_paid', isNumber: true, heads: 'amount paid credited|amount paid|amount credited' },
  { key: 'tax_deducted', isNumber: true, heads: 'tax deducted|tds deducted' },
  { key: 'tax_deposited', isNumber: true, heads: 'tds deposited|tax deposited' },
];
const DEDUCTOR_NEEDS = [['name'], ['tan'], ['amount_paid']];
const DETAIL_NEEDS = [['section'], ['date'], ['amount_paid', 'tax_deducted']];
const TAN = /(?<![A-Z0-9])[A-Z]{4}\d{5}[A-Z](?![A-Z0-9])/;
const SECTION =
  /(?<![A-Z0-9(])(?:19\d[A-Z]{0,3}(?:\([^)]{1,3}\))?|20[0-6][A-Z]{0,3}|39[234](?:\([^)]{1,8}\))?)(?![A-Z0-9])/i;
const AMOUNTS = ['amount_paid', 'tax_deducted', 'tax_deposited'] as const;

/** The amounts of a line, in their order. */
const amountsOf = (line: Line): string[] =>
  line.words.flatMap(({ text }) => (/\.\d{2}\)?$/.test(text) ? (findAmount(text)?.value ?? []) : []));

const PART_OF_DEDUCTIONS = /part[\s-]*(?:i|a)\b.*details\s+of\s+tax\s+deducted/i;
const OTHER_PART = /part[\s-]*(?:a[1-9]|[b-h]|ii|iii|iv|v|vi|vii|viii|ix|x)\b.*details/i;

/**
 * The index of the line at which the first part ends, that of tax deducted at source: the next part may have the same
 * columns, of tax collected or of amounts without tax, and the first none. Infinity where no heading shows it.
 * @param header the index of the first column headings; a list of the parts may be above them.
 */
function endOfDeductions(lines: readonly Line[], header: number): number {
  const start = lines.slice(0, header + 1).findLastIndex(({ text }) => PART_OF_DEDUCTIONS.test(text));
  const end = lines.findIndex(({ text }, index) => index > start && OTHER_PART.test(text));
  return start < 0 || end < 0 ? Infinity : end;
}

/** Reads rows under their deductor; a deductor without rows is a row itself. */
function readDeducted(reading: Reading): void {
  const { layout } = reading;
  const header =
    findHeader(layout.lines, DEDUCTOR, DEDUCTOR_NEEDS) ?? findHeader(layout.lines, DETAIL, DETAIL_NEEDS);
  if (!header) return;
  const partEnd = endOfDeductions(layout.lines, header.from);
  if (header.from > partEnd) return;
  const rows: { page: number; box: ReturnType<typeof boxOf>; cells: (string | null)[] }[] = [];
  const totals = { amount_paid: 0, tax_deducted: 0, tax_deposited: 0 };
  let deductor: { name: string; tan: string; line: Line; amounts: string[] } | null = null;
  let rowsOfDeductor = 0;
  const addDeductorWithoutRows = () => {
    if (!deductor || rowsOfDeductor > 0) return;
    const [paid = null, deducted = null, deposited = null] = deductor.amounts;
    rows.push({
      page: deductor.line.page,
      box: boxOf(layout, deductor.line.words),
      cells: [deductor.name, deductor.tan, null, null, null, paid, deducted, deposited],
    });
  };
  let detail = findHeader(layout.lines, DETAIL, DETAIL_NEEDS)?.columns ?? null;
  for (const { line, index } of linesBelow(layout, { ...header, to: header.from }, DETAIL, DETAIL_NEEDS)) {
    if (index >= partEnd || (deductor && OTHER_PART.test(line.text))) break;
    detail = findHeader(layout.lines.slice(index, index + 1), DETAIL, DETAIL_NEEDS)?.columns ?? detail;
    const tan = TAN.exec(line.text.toUpperCase())?.[0];
    const amounts = amountsOf(line);
    const section = SECTION.exec(line.text)?.[0];
    if (tan && amounts.length > 0) {
      addDeductorWithoutRows();
      rowsOfDeductor = 0;
      const name =
        line.cells
          .map((cell) => cell.text)
          .find((text) => /[a-z]{3}/i.test(text) && !text.toUpperCase().includes(tan)) ??
        line.text
          .split(tan)[0]!
          .replace(/^[\d\s]+/, '')
          .trim();
      deductor = { name, tan, line, amounts: amounts.slice(-3) };
      for (const [index, key] of AMOUNTS.entries()) totals[key] += Number(amounts.slice(-3)[index] ?? 0);
    } else if (deductor && section && amounts.length > 0) {
      rowsOfDeductor += 1;
      const row = detail ? rowOf(line, detail) : {};
      const [paid = null, deducted = null, deposited = null] = amounts.slice(-3);
      const day = readDate(textOf(row.date) || line.text.replace(section, ' '))?.day ?? null;
      const status =
        /(?<![\p{L}\d])[FUPOMZ](?![\p{L}\d])/u.exec(textOf(row.status) || line.text)?.[0] ?? null;
      rows.push({
        page: line.page,
        box: boxOf(layout, line.words),
        cells: [deductor.name, deductor.tan, section.toUpperCase(), day, status, paid, deducted, deposited],
      });
    }
  }
  addDeductorWithoutRows();
  addTable(reading, 'tax_deducted', rows);
  const first = deductor?.line;
  if (first)
    for (const key of AMOUNTS) reading.add(key, String(totals[key]), [], first.page, 'form_26as.sum', 0.92);
}

/** The statement of tax deducted: Form 26AS, from the tax year 2026-27 on Form 168; its text has ^ between columns. */
export const form26as: TypeRules = {
  type: 'form_26as',
  cues: {
    title: /form\s*(?:no\.?)?\s*(?:26\s?as|168)\b|annual tax statement|tax credit statement/i,
    words: [
      /part[\s-]*(?:i|a)\b.*details of tax deducted at source/i,
      /status of booking/i,
      /traces/i,
      /current status of pan/i,
      /tan of (?:the )?deductor/i,
      /file creation date/i,
    ],
    not: [/annual information statement/i],
  },
  fields: {
    pan: 'permanent account number(?: \\(pan\\))?|pan',
    name: 'name of (?:the )?assessee|assessee name|name',
    status: {
      labels: 'current status of pan|status of pan|pan status',
      like: /\b(active(?: and operative)?|inactive|inoperative|deleted)\b/i,
    },
    year: `${FINANCIAL_YEAR}|${ASSESSMENT_YEAR}|tax year`,
    address: 'address of (?:the )?assessee',
    date: 'data updated till|file creation date|date of generation|updated till',
  },
  more: readDeducted,
};

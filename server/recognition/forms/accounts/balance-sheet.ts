import type { FieldKey } from '../../contract.ts';
import { labelPattern } from '../../layout/labels.ts';
import type { Cell } from '../../layout/page.ts';
import { findAmount } from '../../layout/values.ts';
import { readDate } from '../../values/dates.ts';
import type { Reading, TypeRules } from '../rules.ts';
import { readSignatory } from './firm.ts';
import { SIGNATURE } from './signature.ts';

const UNITS: Record<string, number> = {
  hundred: 100,
  thousand: 1000,
  lakh: 100_000,
  lac: 100_000,
  million: 1_000_000,
  crore: 10_000_000,
};
const UNIT =
  /(?:₹|rs\.?|rupees|inr|amounts?|figures)?\s*(?:are\s+)?in\s+(?:₹|rs\.?|inr|rupees)?\s*\(?['’"]?(hundred|thousand|lakh|lac|million|crore)s?/i;

/**
 * Row labels with the fields of this year and of the year before. `Total equity` is not `Total equity and liabilities`.
 */
const ROWS: [string, FieldKey, FieldKey?][] = [
  ["(?:equity )?share capital|partners(?:[’'])? capital(?: accounts?)?|capital account", 'share_capital'],
  ['reserves (?:and|&) surplus|other equity', 'reserves'],
  ["total equity(?! (?:and|&))|total shareholders(?:[’'])? funds|shareholders(?:[’'])? funds", 'equity'],
  ['(?:long ?-?term )?borrowings|secured loans|loans', 'borrowings'],
  ['trade payables|sundry creditors', 'trade_payables'],
  ['trade receivables|sundry debtors', 'trade_receivables'],
  ['cash (?:and|&) (?:cash equivalents|bank balances?)|cash (?:and|&) bank', 'cash'],
  ['revenue from operations|total (?:revenue|income)|turnover|sales', 'revenue', 'revenue_before'],
  ['total expenses?|total expenditure', 'total_expenses'],
  ['profit(?: \\/ ?\\(loss\\))? before tax[^:\\d]{0,40}|net profit before tax', 'profit_before_tax'],
  [
    'profit(?: \\/ ?\\(loss\\))? (?:for the (?:year|period)|after tax)[^:\\d]{0,40}|net profit(?: after tax| for the year)?',
    'profit',
    'profit_before',
  ],
];
/** The sum of a balance sheet: the whole cell, since other rows begin with `Total`, as that of a part does: `Total (A)`. */
const TOTAL_ASSETS =
  /^[\s(]*(?:[a-z\d]{1,4}[.)]+\s*|\d{1,2}\s+)?total(?:\s+assets|\s+equity\s+(?:and|&)\s+liabilities)?(?:\((?!\s*(?!rs|inr)[a-z\d]{1,4}\s*\))[^)]{1,20}\)|(?:rs|inr)\b|[^\p{L}(])*$/iu;
/** Headings of a balance sheet, and of a statement for a year: a sum below the latter is not one of assets. */
const OF_A_DAY = /balance\s+sheet|\bas\s+(?:at|on)\b|equity\s+(?:and|&)\s+liabilities/i;
const OF_A_YEAR = /(?:for|of)\s+the\s+(?:year|period)\s+(?:ended|ending)/i;

const isNumber = ({ text }: Cell): boolean => /^[\s₹(\d.,)-]+$/.test(text) && findAmount(text) !== null;

/** Reads the amounts of each row, in the unit stated on the page; the number of a note comes before them. */
function readRows(reading: Reading): void {
  const { lines } = reading.layout;
  const units = new Map<number, number>();
  for (const line of lines) {
    const unit = UNIT.exec(line.text)?.[1]?.toLowerCase();
    if (!unit) continue;
    units.set(line.page, UNITS[unit]!);
    if (!reading.value('unit')) reading.add('unit', `${unit}s`, line.words, line.page, 'balance_sheet.unit');
  }
  let isOfAYear = false;
  for (const line of lines) {
    const [first] = line.cells;
    if (!first) continue;
    if (OF_A_DAY.test(line.text)) isOfAYear = false;
    else if (OF_A_YEAR.test(line.text)) isOfAYear = true;
    const amounts = line.cells.slice(1).filter(isNumber);
    const money = amounts.filter(
      ({ text }, index) =>
        !(index === 0 && amounts.length > 2 && /^\d{1,2}(?:\.\d)?$/.test(text)) &&
        !(amounts.length === 2 && index === 0 && /^\d{1,2}$/.test(text) && /[,.]/.test(amounts[1]!.text)),
    );
    if (money.length === 0) continue;
    for (const [index, key] of fieldsOf(first.text, isOfAYear).entries()) {
      const cell = money[index];
      const found = key && cell && findAmount(cell.text);
      if (!key || !found || reading.value(key)) continue;
      const value = Math.round(Number(found.value) * (units.get(line.page) ?? 1));
      reading.add(key, String(value), cell.words, line.page, `balance_sheet.row.${key}`);
    }
  }
}

/** The fields of a row, of this year and of the year before. */
function fieldsOf(label: string, isOfAYear: boolean): (FieldKey | undefined)[] {
  const row = ROWS.find(([labels]) => labelPattern(labels).test(label));
  if (row) return row.slice(1) as FieldKey[];
  return !isOfAYear && TOTAL_ASSETS.test(label) ? ['total_assets', 'total_assets_before'] : [];
}

const AS_AT = /balance\s+sheet\s+as\s+(?:at|on)\s+(.{6,40})/i;

function readHead(reading: Reading): void {
  const { lines } = reading.layout;
  for (const [index, line] of lines.slice(0, 40).entries()) {
    const match = AS_AT.exec(line.text) ?? /(?:year|period)\s+ended\s+(?:on\s+)?(.{6,40})/i.exec(line.text);
    const date = match && readDate(match[1]!);
    if (!date) continue;
    if (!reading.value('date')) reading.add('date', date.day, line.words, line.page, 'balance_sheet.as_at');
    if (reading.value('name')) return;
    const above = lines.slice(0, index).flatMap(({ cells, page }) => cells.map((cell) => ({ cell, page })));
    const name = above.find(
      ({ cell }) =>
        /[a-z]{3}/i.test(cell.text) &&
        !/:|cin\b|address|regd|registered|llpin|financial statements|schedule|^\d/i.test(cell.text),
    );
    if (name)
      reading.add(
        'name',
        name.cell.text.replace(/^m\/s\.?\s*/i, ''),
        name.cell.words,
        name.page,
        'balance_sheet.name',
        0.92,
      );
    return;
  }
}

/** A balance sheet, with the statement of profit and loss. */
export const balanceSheet: TypeRules = {
  type: 'balance_sheet',
  cues: {
    title:
      /balance\s+sheet\s+(?:as\s+(?:at|on)|of)|^balance\s+sheet\b|statement\s+of\s+profit\s+(?:and|&)\s+loss|profit\s+(?:and|&)\s+loss\s+(?:account|statement)|trading\s+(?:and|&)\s+profit/i,
    words: [
      /equity and liabilities|liabilities/i,
      /share capital|capital account/i,
      /reserves and surplus|reserves & surplus/i,
      /trade payables|sundry creditors/i,
      /trade receivables|sundry debtors/i,
      /as per our report/i,
    ],
    not: [/independent auditor/i],
  },
  fields: {
    name: 'name of (?:the )?(?:company|entity|llp|assessee)',
    cin: 'cin|corporate identity (?:number|no)',
    llpin: 'llpin|llp identification (?:number|no)',
    ...SIGNATURE,
  },
  more(reading) {
    readHead(reading);
    readRows(reading);
    readSignatory(reading, ['firm_name']);
  },
};

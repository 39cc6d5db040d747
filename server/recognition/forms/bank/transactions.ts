import type { Line, Word } from '../../layout/page.ts';
import type { Column, ColumnRule, Header, Row } from '../../layout/table.ts';
import { body, findHeader, rowOf, rowOfLines, textOf } from '../../layout/table.ts';
import { findAmount } from '../../layout/values.ts';
import { readDate } from '../../values/dates.ts';
import type { Layout } from '../../layout/page.ts';

/** Amounts in paise; a balance below zero is owed to the bank. */
export interface Transaction {
  page: number;
  words: Word[];
  top: number;
  bottom: number;
  date: string | null;
  valueDate: string | null;
  narration: string[];
  reference: string;
  debit: number | null;
  credit: number | null;
  balance: number | null;
}

export interface Statement {
  rows: Transaction[];
  /** As rows of the table say; null where none does. */
  opening: number | null;
  closing: number | null;
  debits: number | null;
  credits: number | null;
  /** The line of the heading. */
  from: number;
}

const RULES: ColumnRule[] = [
  {
    key: 'date',
    heads: '(?:txn|tran|trans|transaction|post|posting|entry|book|booking)? date|date of transaction|dt',
  },
  { key: 'value_date', heads: 'value dt|value date|val date|effective date' },
  {
    key: 'narration',
    heads:
      'narration|particulars|description|transaction details|details|remarks|transaction remarks|transaction particulars',
  },
  {
    key: 'reference',
    heads:
      'chq ?ref ?no|chq(?: no)?|cheque ?(?:no|number)?|ref(?:erence)? ?(?:no|number)?|chq/ref(?: number)?|instrument(?: id| no)?|cheque/ref(?:erence)?(?: no)?|utr|tran id|transaction id',
  },
  {
    key: 'debit',
    isNumber: true,
    heads:
      'withdrawal(?:s)?(?: amt| amount)?(?: \\(dr\\))?|debit(?:s)?(?: amount| amt)?|dr(?: amount| amt)?|paid out|money out',
  },
  {
    key: 'credit',
    isNumber: true,
    heads:
      'deposit(?:s)?(?: amt| amount)?(?: \\(cr\\))?|credit(?:s)?(?: amount| amt)?|cr(?: amount| amt)?|paid in|money in',
  },
  { key: 'amount', isNumber: true, heads: 'amount|transaction amount|txn amount|amt' },
  { key: 'side', heads: 'dr cr|cr dr|type|debit credit|txn type|d c|transaction type' },
  {
    key: 'balance',
    isNumber: true,
    heads: '(?:closing|running|available|ledger|account|book)? balance(?: amt| amount)?|bal',
  },
  { key: 'serial', heads: 's ?no|sr ?no|sl ?no|#|serial' },
  { key: 'branch', heads: 'init br|branch(?: code)?|br' },
];
const NEEDS = [
  ['date', 'value_date'],
  ['balance'],
  ['debit', 'amount', 'credit'],
  ['narration', 'reference', 'debit'],
];

const OPENING =
  /\b(?:opening\s+bal(?:ance)?|balance\s+(?:b\/?f|brought\s+forward)|brought\s+forward|b\/?f(?:wd)?)\b/i;
const FORWARD =
  /\b(?:balance\s+(?:c\/?f|carried\s+forward)|carried\s+forward|c\/?f(?:wd)?|page\s+total|sub\s*-?\s*total)\b/i;
const CLOSING = /\bclosing\s+bal(?:ance)?\b/i;
const TOTAL = /^\W*(?:grand\s+)?totals?\b|\btransaction\s+total|\btotal\s*:?$/i;
const END =
  /statement\s+summary|end\s+of\s+(?:the\s+)?statement|\*{3,}.*end|legends?\s*:|^\s*(?:generated|printed)\s+(?:on|by)|computer\s+generated|registered\s+office|important\s+(?:note|message)|abbreviations/i;
/** A line further from its row than this many heights is none of it. */
const FAR = 1.3;

const amount = (words: readonly Word[] | undefined): number | null => {
  const found = findAmount(textOf(words));
  return found && Number(found.value);
};

function transaction(line: Line, row: Row): Transaction {
  const dates = textOf(row.date);
  const [one, side] = [
    amount(row.amount),
    textOf(row.side) || /\b(cr|dr|c|d)\b\.?\)?$/i.exec(textOf(row.amount))?.[1] || '',
  ];
  const isDebit = /^\W*(?:d|withdraw)/i.test(side) || (side === '' && (one ?? 0) < 0);
  const size = (some: number | null) => (some === null ? null : Math.abs(some));
  const debit = row.amount ? (isDebit ? size(one) : null) : size(amount(row.debit));
  const credit = row.amount ? (isDebit ? null : size(one)) : size(amount(row.credit));
  return {
    page: line.page,
    words: [...line.words],
    top: line.top,
    bottom: line.bottom,
    date: readDate(dates)?.day ?? null,
    valueDate: readDate(textOf(row.value_date))?.day ?? null,
    narration: row.narration ? [textOf(row.narration)] : [],
    reference: textOf(row.reference),
    // A zero in the other column says nothing.
    debit: debit === 0 && credit ? null : debit,
    credit: credit === 0 && debit ? null : credit,
    balance: amount(row.balance),
  };
}

/** A debit that is printed with a minus, or as if it were owed. */
const hasAmounts = ({ debit, credit, balance }: Transaction): boolean =>
  debit !== null || credit !== null || balance !== null;

/** Adds a line of text to the row that it stands nearest to; half a narration may stand above its row. */
function settleTexts(rows: Transaction[], texts: { line: Line; row: Row }[]): void {
  for (const { line, row } of texts) {
    const near = rows
      .filter(({ page }) => page === line.page)
      .map((one) => ({
        one,
        gap: line.top >= one.bottom - 20 ? line.top - one.bottom : one.top - line.bottom + 1,
      }))
      .toSorted((a, b) => a.gap - b.gap)[0];
    if (!near || near.gap > (line.bottom - line.top) * FAR) continue;
    const { one } = near;
    const above = line.bottom <= one.top + 20;
    const text = textOf(row.narration);
    if (text) one.narration[above ? 'unshift' : 'push'](text);
    if (row.reference) one.reference += textOf(row.reference);
    if (!one.date && row.date) one.date = readDate(textOf(row.date))?.day ?? null;
    one.words.push(...line.words);
    one.bottom = Math.max(one.bottom, line.bottom);
    one.top = Math.min(one.top, line.top);
  }
}

/** A row of the table, of several lines where cells are centred beside each other and so stand between. */
function* rowsOf(layout: Layout, header: Header): Generator<{ line: Line; row: Row }> {
  let band: { lines: Line[]; columns: Column[]; dated: boolean } | null = null;
  const whole = ({ lines, columns }: NonNullable<typeof band>): { line: Line; row: Row } => ({
    line: lines.length === 1 ? lines[0]! : joined(lines),
    row: rowOfLines(lines, columns),
  });
  for (const { line, columns } of body(layout, header, RULES, NEEDS)) {
    const dated = readDate(textOf(rowOf(line, columns).date)) !== null;
    const last = band?.lines.at(-1);
    const between =
      last && last.page === line.page && line.top < last.bottom - (line.bottom - line.top) * 0.15;
    if (band && between && !(dated && band.dated)) {
      band.lines.push(line);
      band.dated ||= dated;
      continue;
    }
    if (band) yield whole(band);
    band = { lines: [line], columns, dated };
  }
  if (band) yield whole(band);
}

const joined = (lines: readonly Line[]): Line => ({
  page: lines[0]!.page,
  cells: lines.flatMap(({ cells }) => cells),
  words: lines.flatMap(({ words }) => words),
  text: lines.map(({ text }) => text).join('\t'),
  top: Math.min(...lines.map(({ top }) => top)),
  bottom: Math.max(...lines.map(({ bottom }) => bottom)),
});

/** The line of the heading over the transactions; null for none. */
export const transactionsFrom = (lines: readonly Line[]): number | null =>
  findHeader(lines, RULES, NEEDS)?.from ?? null;

/** The transactions of a statement; null where there is no table of them. */
export function readTransactions(layout: Layout): Statement | null {
  const header = findHeader(layout.lines, RULES, NEEDS);
  if (!header) return null;
  const made: Statement = {
    rows: [],
    opening: null,
    closing: null,
    debits: null,
    credits: null,
    from: header.from,
  };
  const texts: { line: Line; row: Row }[] = [];
  let [day, ended] = [null as string | null, false];
  for (const { line, row } of rowsOf(layout, header)) {
    const one = transaction(line, row);
    if (ended && !one.date) continue;
    const moved = one.debit !== null || one.credit !== null;
    if (
      OPENING.test(line.text) &&
      (one.balance ?? one.credit ?? one.debit) !== null &&
      !(moved && one.balance !== null)
    ) {
      // Of a page that goes on, the balance is that of the page before.
      if (made.rows.length === 0) made.opening ??= one.balance ?? one.credit ?? one.debit;
    } else if (FORWARD.test(line.text) && !(one.date && moved)) continue;
    else if (CLOSING.test(line.text) && !(moved && one.date))
      made.closing = one.balance ?? one.credit ?? one.debit ?? made.closing;
    else if (TOTAL.test(line.text) && !one.date) {
      [made.debits, made.credits] = [one.debit, one.credit];
      ended = true;
    } else if (END.test(line.text) && !one.date) ended = true;
    else if (one.date || (moved && one.balance !== null)) {
      if (!hasAmounts(one)) {
        texts.push({ line, row });
        continue;
      }
      ended = false;
      one.date ??= day;
      day = one.date;
      made.rows.push(one);
    } else if (!hasAmounts(one)) texts.push({ line, row });
    // An amount that stands under its row, as where a narration fills the first line.
    else if (made.rows.length > 0) made.rows.push({ ...one, date: day });
  }
  settleTexts(made.rows, texts);
  return made;
}

import type { Layout } from '../../layout/page.ts';
import type { Column, Header } from '../../layout/table.ts';
import { findHeader } from '../../layout/table.ts';
import type { AmountLine, PlacedAmount, Range } from './amounts-by-line.ts';
import { amountLines } from './amounts-by-line.ts';
import { checkBalances } from './chain.ts';
import { HEADINGS, OPENING } from './headings.ts';

/** Limits of the search, which tries each pair of number columns with each balance column. */
const [LINES_MAX, COLUMNS_MAX] = [150, 7];
/** With fewer transactions, the balances of wrong columns may follow from each other by chance. */
const LINES_MIN = 3;
/** The share of rows that must have a balance. */
const BALANCE_SHARE_MIN = 0.6;
/** The share of rows that may break: wrong columns break nearly all. */
const BREAK_SHARE_MAX = 0.4;
const NOTHING_PRINTED = { opening: null, closing: null, debits: null, credits: null };

interface Roles {
  debit: Range | null;
  credit: Range | null;
  amount: Range | null;
  balance: Range;
  breaks: number;
}

/** Groups overlapping ranges into columns. */
function columnsOf(ranges: readonly Range[]): (Range & { count: number })[] {
  const columns: (Range & { count: number })[] = [];
  for (const { left, right } of ranges.toSorted((a, b) => a.left - b.left)) {
    const last = columns.at(-1);
    if (last && left < last.right) {
      last.right = Math.max(last.right, right);
      last.count += 1;
    } else columns.push({ left, right, count: 1 });
  }
  return columns;
}

const isIn = (column: Range, { left, right }: Range): boolean => left < column.right && right > column.left;
const valueIn = ({ amounts }: AmountLine, column: Range | null): PlacedAmount | undefined =>
  column ? amounts.find((amount) => isIn(column, amount)) : undefined;

/** The amounts of a row; the other column has a zero or nothing. */
function rowOf(line: AmountLine, { debit, credit, amount, balance }: Omit<Roles, 'breaks'>) {
  const absolute = (column: Range | null): number | null => {
    const paise = valueIn(line, column)?.paise;
    return paise ? Math.abs(paise) : null;
  };
  const printed = valueIn(line, balance);
  const signed = printed ? (printed.side === 'd' ? -Math.abs(printed.paise) : printed.paise) : null;
  if (!amount) return { debit: absolute(debit), credit: absolute(credit), balance: signed };
  const value = valueIn(line, amount);
  const side = value?.side ?? line.marks[0]?.side;
  const isDebit = side ? side === 'd' : (value?.paise ?? 0) < 0;
  return {
    debit: isDebit ? absolute(amount) : null,
    credit: isDebit ? null : absolute(amount),
    balance: signed,
  };
}

/** Finds the balance column and the amount columns for which most balances follow from the one before. */
function rolesOf(lines: readonly AmountLine[], isWanted: (amount: PlacedAmount) => boolean): Roles | null {
  const columns = columnsOf(lines.flatMap(({ amounts }) => amounts.filter(isWanted)))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, COLUMNS_MAX)
    .toSorted((a, b) => a.left - b.left);
  let best: Roles | null = null;
  const attempt = (roles: Omit<Roles, 'breaks'>): void => {
    const rows = lines.map((line) => rowOf(line, roles));
    const breaks = checkBalances(rows, NOTHING_PRINTED).breaks.length;
    if (!best || breaks < best.breaks) best = { ...roles, breaks };
  };
  // Most banks print debits left of credits and the balance last: try these first.
  for (const balance of columns.toReversed()) {
    if (balance.count < lines.length * BALANCE_SHARE_MIN) continue;
    const rest = columns.filter((column) => column !== balance);
    for (const [index, debit] of rest.entries())
      for (const credit of rest.slice(index + 1)) attempt({ debit, credit, amount: null, balance });
    for (const amount of rest) attempt({ debit: null, credit: null, amount, balance });
    for (const [index, credit] of rest.entries())
      for (const debit of rest.slice(index + 1)) attempt({ debit, credit, amount: null, balance });
    for (const debit of rest) attempt({ debit, credit: null, amount: null, balance });
  }
  return best;
}

/**
 * Whether debit and credit match the headings, by default debits on the left: the balances of an overdraft printed
 * without a sign follow with debit and credit exchanged.
 */
function isAsHeaded({ lines }: Layout, { debit, credit }: Roles): boolean {
  if (!debit || !credit) return true;
  const columns = findHeader(lines, HEADINGS, [['debit'], ['credit']])?.columns ?? [];
  const left = (key: string) => columns.find((column) => column.key === key)?.left ?? 0;
  return debit.left < credit.left === left('debit') <= left('credit');
}

const column = (key: string, { left, right }: Range, isNumber = false): Column => ({
  key,
  isNumber,
  left,
  right,
});

/** The text columns: dates, and the narration between the dates and the amounts. */
function textColumns(lines: readonly AmountLine[], numbers: readonly Column[]): Column[] {
  const days = columnsOf(lines.flatMap(({ dates }) => dates)).filter(
    ({ count }) => count > lines.length * 0.3,
  );
  const [day, valueDay] = days;
  if (!day) return [];
  const first = Math.min(...numbers.map(({ left }) => left));
  const edges = days.filter(({ left }) => left < first);
  const gaps = edges.map(({ right }, index) => ({
    left: right + 1,
    right: (edges[index + 1]?.left ?? first) - 1,
  }));
  const widest = gaps.toSorted((a, b) => b.right - b.left - (a.right - a.left))[0];
  return [
    column('date', day),
    ...(valueDay ? [column('value_date', valueDay)] : []),
    ...(widest && widest.right > widest.left ? [column('narration', widest)] : []),
  ];
}

/**
 * Finds the columns of a statement with unknown headings by whether each balance follows from the one before; null if
 * none do. Text columns are those of the heading, if there is one.
 */
export function columnsByChain(layout: Layout, heading: Header | null): Header | null {
  const lines = amountLines(layout, LINES_MAX);
  if (lines.length < LINES_MIN) return null;
  const byMoney = rolesOf(lines, ({ isMoney }) => isMoney);
  const byNumbers = byMoney?.breaks === 0 ? null : rolesOf(lines, () => true);
  const roles = byNumbers && (!byMoney || byNumbers.breaks < byMoney.breaks) ? byNumbers : byMoney;
  if (!roles || roles.breaks > lines.length * BREAK_SHARE_MAX || !isAsHeaded(layout, roles)) return null;
  const { debit, credit, amount, balance } = roles;
  const numbers = Object.entries({ debit, credit, amount, balance }).flatMap(([key, range]) =>
    range ? [column(key, range, true)] : [],
  );
  const marks = columnsOf(lines.flatMap((line) => line.marks));
  const distance = (range: Range) => Math.abs(range.left - (amount?.left ?? 0));
  const [side] = amount ? marks.toSorted((a, b) => distance(a) - distance(b)) : [];
  const headedTexts = heading?.columns.filter(({ isNumber, key }) => !isNumber && key !== 'side') ?? [];
  const texts = headedTexts.length > 0 ? headedTexts : textColumns(lines, numbers);
  const columns = [...texts, ...numbers, ...(side ? [column('side', side)] : [])];
  const start = lines[0]!.index;
  const page = layout.lines[start]!.page;
  // A balance brought forward is right above the first transaction.
  const linesToOpening = [3, 2, 1].find((count) => {
    const line = layout.lines[start - count];
    return line?.page === page && OPENING.test(line.text);
  });
  const to = heading && heading.to <= start ? heading.to : start - (linesToOpening ?? 0);
  return { from: heading?.from ?? to - 1, to, columns, isFixed: true };
}

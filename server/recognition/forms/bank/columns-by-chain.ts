import type { Layout } from '../../layout/page.ts';
import type { Column, Header } from '../../layout/table.ts';
import { findHeader } from '../../layout/table.ts';
import type { AmountLine, PlacedAmount, Range } from './amounts-by-line.ts';
import { amountLines } from './amounts-by-line.ts';
import { chain } from './chain.ts';
import { HEADINGS, OPENING } from './headings.ts';

/** Limits of the search, which tries each pair of number columns with each balance column. */
const [LINES_MAX, COLUMNS_MAX] = [150, 7];
/** Fewer transactions may chain by chance. */
const LEAST = 3;
/** The share of rows that must have a balance. */
const BALANCES = 0.6;
/** The share of rows that may break: wrong columns break nearly all. */
const BREAKS = 0.4;
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
  const found: (Range & { count: number })[] = [];
  for (const { left, right } of ranges.toSorted((a, b) => a.left - b.left)) {
    const last = found.at(-1);
    if (last && left < last.right) {
      last.right = Math.max(last.right, right);
      last.count += 1;
    } else found.push({ left, right, count: 1 });
  }
  return found;
}

const isIn = (column: Range, { left, right }: Range): boolean => left < column.right && right > column.left;
const valueIn = ({ amounts }: AmountLine, column: Range | null): PlacedAmount | undefined =>
  column ? amounts.find((one) => isIn(column, one)) : undefined;

/** The amounts of a row; the other column has a zero or nothing. */
function rowOf(line: AmountLine, { debit, credit, amount, balance }: Omit<Roles, 'breaks'>) {
  const size = (column: Range | null): number | null => {
    const paise = valueIn(line, column)?.paise;
    return paise ? Math.abs(paise) : null;
  };
  const held = valueIn(line, balance);
  const left = held ? (held.side === 'd' ? -Math.abs(held.paise) : held.paise) : null;
  if (!amount) return { debit: size(debit), credit: size(credit), balance: left };
  const one = valueIn(line, amount);
  const side = one?.side ?? line.marks[0]?.side;
  const isDebit = side ? side === 'd' : (one?.paise ?? 0) < 0;
  return { debit: isDebit ? size(amount) : null, credit: isDebit ? null : size(amount), balance: left };
}

/** Finds the balance column and the amount columns for which most rows chain. */
function rolesOf(lines: readonly AmountLine[], isWanted: (amount: PlacedAmount) => boolean): Roles | null {
  const columns = columnsOf(lines.flatMap(({ amounts }) => amounts.filter(isWanted)))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, COLUMNS_MAX)
    .toSorted((a, b) => a.left - b.left);
  let best: Roles | null = null;
  const attempt = (roles: Omit<Roles, 'breaks'>): void => {
    const rows = lines.map((line) => rowOf(line, roles));
    const breaks = chain(rows, NOTHING_PRINTED).breaks.length;
    if (!best || breaks < best.breaks) best = { ...roles, breaks };
  };
  // Most banks print debits left of credits and the balance last: try these first.
  for (const balance of columns.toReversed()) {
    if (balance.count < lines.length * BALANCES) continue;
    const rest = columns.filter((column) => column !== balance);
    for (const [at, debit] of rest.entries())
      for (const credit of rest.slice(at + 1)) attempt({ debit, credit, amount: null, balance });
    for (const amount of rest) attempt({ debit: null, credit: null, amount, balance });
    for (const [at, credit] of rest.entries())
      for (const debit of rest.slice(at + 1)) attempt({ debit, credit, amount: null, balance });
    for (const one of rest) attempt({ debit: one, credit: null, amount: null, balance });
  }
  return best;
}

/**
 * Whether debit and credit match the headings, by default debits on the left: an overdraft printed without a sign
 * chains the other way round.
 */
function isAsHeaded({ lines }: Layout, { debit, credit }: Roles): boolean {
  if (!debit || !credit) return true;
  const columns = findHeader(lines, HEADINGS, [['debit'], ['credit']])?.columns ?? [];
  const left = (key: string) => columns.find((one) => one.key === key)?.left ?? 0;
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
  const gaps = edges.map(({ right }, at) => ({ left: right + 1, right: (edges[at + 1]?.left ?? first) - 1 }));
  const widest = gaps.toSorted((a, b) => b.right - b.left - (a.right - a.left))[0];
  return [
    column('date', day),
    ...(valueDay ? [column('value_date', valueDay)] : []),
    ...(widest && widest.right > widest.left ? [column('narration', widest)] : []),
  ];
}

/**
 * Finds the columns of a statement with unknown headings by which numbers chain; null if none do. Text columns are
 * those of the heading, if there is one.
 */
export function columnsByChain(layout: Layout, heading: Header | null): Header | null {
  const lines = amountLines(layout, LINES_MAX);
  if (lines.length < LEAST) return null;
  const money = rolesOf(lines, ({ isMoney }) => isMoney);
  const any = money?.breaks === 0 ? null : rolesOf(lines, () => true);
  const roles = any && (!money || any.breaks < money.breaks) ? any : money;
  if (!roles || roles.breaks > lines.length * BREAKS || !isAsHeaded(layout, roles)) return null;
  const { debit, credit, amount, balance } = roles;
  const numbers = Object.entries({ debit, credit, amount, balance }).flatMap(([key, range]) =>
    range ? [column(key, range, true)] : [],
  );
  const marks = columnsOf(lines.flatMap((line) => line.marks));
  const far = (range: Range) => Math.abs(range.left - (amount?.left ?? 0));
  const [side] = amount ? marks.toSorted((a, b) => far(a) - far(b)) : [];
  const texts = heading?.columns.filter(({ isNumber, key }) => !isNumber && key !== 'side') ?? [];
  const words = texts.length > 0 ? texts : textColumns(lines, numbers);
  const columns = [...words, ...numbers, ...(side ? [column('side', side)] : [])];
  const start = lines[0]!.at;
  const page = layout.lines[start]!.page;
  // A balance brought forward is right above the first transaction.
  const opens = [3, 2, 1].find((back) => {
    const line = layout.lines[start - back];
    return line?.page === page && OPENING.test(line.text);
  });
  const to = heading && heading.to <= start ? heading.to : start - (opens ?? 0);
  return { from: heading?.from ?? to - 1, to, columns, isFixed: true };
}

import type { Cell, Layout, Line, Word } from './page.ts';
import { around, cellOf } from './page.ts';
import { BLANK, wordsBetween } from './labels.ts';
import { looksLikeMoney, readAmount } from '../values/amounts.ts';

/** A column and the headings that identify it. */
export interface ColumnRule {
  key: string;
  /** A column of numbers, which are right below the heading. */
  isNumber?: boolean;
  /** Lowercase; a blank matches any white space. */
  heads: string;
}

export interface Column {
  key: string;
  isNumber: boolean;
  left: number;
  right: number;
}

export interface Header {
  /** The first heading line, and the line after the last. */
  from: number;
  to: number;
  columns: Column[];
  /** Whether the columns stay the same where the heading is repeated. */
  isFixed?: boolean;
}

/** The words of a line by column key. */
export type Row = Record<string, Word[]>;

const PATTERNS = new WeakMap<readonly ColumnRule[], [ColumnRule, RegExp][]>();

function headPattern(rules: readonly ColumnRule[]): [ColumnRule, RegExp][] {
  const known = PATTERNS.get(rules);
  if (known) return known;
  const made = rules.map<[ColumnRule, RegExp]>((rule) => [
    rule,
    new RegExp(
      String.raw`(?<![\p{L}\p{Nd}])(?:${rule.heads.replace(BLANK, (sign) => (sign === ' ' ? String.raw`[\s./-]*` : sign))})(?![\p{L}\p{Nd}])`,
      'iu',
    ),
  ]);
  PATTERNS.set(rules, made);
  return made;
}

/** Merges cells of some lines with those above and below. */
function stacked(lines: readonly Line[]): Cell[] {
  const stacks: Word[][] = [];
  for (const { cells } of lines)
    for (const cell of cells) {
      const home = stacks.filter((words) => {
        const { left, right } = around(words);
        return Math.min(right, cell.right) - Math.max(left, cell.left) > 0;
      });
      if (home.length === 1) home[0]!.push(...cell.words);
      else if (home.length === 0) stacks.push([...cell.words]);
    }
  return stacks.map(cellOf);
}

/** The columns in a heading; two headings in one cell share its width. */
function columnsIn(cell: Cell, rules: readonly [ColumnRule, RegExp][]): Column[] {
  const matches = rules
    .flatMap(([rule, head]) => {
      const match = head.exec(cell.text);
      return match ? [{ rule, start: match.index, end: match.index + match[0].length }] : [];
    })
    .toSorted((a, b) => b.end - b.start - (a.end - a.start));
  const kept: typeof matches = [];
  for (const one of matches)
    if (!kept.some(({ start, end }) => one.start < end && start < one.end)) kept.push(one);
  // If a heading of two words names two columns, the first word counts.
  const flat = new Set(cell.words.map(({ top }) => Math.round(top / 30))).size === 1;
  const named = flat ? kept.toSorted((a, b) => a.start - b.start) : kept.slice(0, 1);
  return named.map(({ rule, start, end }) => {
    const place = named.length === 1 ? cell : around(wordsBetween(cell, start, end));
    return { key: rule.key, isNumber: rule.isNumber ?? false, left: place.left, right: place.right };
  });
}

/** The heading that begins at a line: of one, two or three lines, the one with the most columns. */
function headerAt(
  lines: readonly Line[],
  at: number,
  heads: [ColumnRule, RegExp][],
  needs: readonly string[][],
): Header | null {
  let best: Header | null = null;
  for (let deep = 1; deep <= 3; deep += 1) {
    const band = lines.slice(at, at + deep);
    const last = band.at(-1);
    if (!last || band.length < deep || last.page !== band[0]!.page) break;
    if (deep > 1 && last.top - band[deep - 2]!.bottom > (last.bottom - last.top) * 0.9) break;
    const columns: Column[] = [];
    for (const cell of stacked(band))
      for (const column of columnsIn(cell, heads))
        if (cell.text.length < 90 && !columns.some(({ key }) => key === column.key)) columns.push(column);
    const enough = needs.every((some) => some.some((key) => columns.some((one) => one.key === key)));
    if (enough && columns.length > (best?.columns.length ?? 0))
      best = { from: at, to: at + deep, columns: columns.toSorted((a, b) => a.left - b.left) };
  }
  return best;
}

/** Finds a heading with at least one column of each group. */
export function findHeader(
  lines: readonly Line[],
  rules: readonly ColumnRule[],
  needs: readonly string[][],
  from = 0,
): Header | null {
  const heads = headPattern(rules);
  for (let at = from; at < lines.length; at += 1) {
    const first = headerAt(lines, at, heads, needs);
    if (!first) continue;
    // The line above the heading may have been included.
    const later = [at + 1, at + 2].flatMap((one) => headerAt(lines, one, heads, needs) ?? []);
    return [first, ...later].reduce((a, b) => (b.columns.length >= a.columns.length ? b : a));
  }
  return null;
}

const gapTo = ({ left, right }: Column, word: Word | Cell): number => {
  const shared = Math.min(right, word.right) - Math.max(left, word.left);
  return shared > 0 ? -shared : -shared + 1;
};
const nearest = (columns: readonly Column[], word: Word | Cell): Column | undefined =>
  columns.toSorted((a, b) => gapTo(a, word) - gapTo(b, word))[0];

const SIDE = /^\(?(?:cr|dr)\.?\)?$/i;

/** Words of a line that are numbers of the table: written as money, or right below the heading of a number. */
function numbersOf(line: Line, columns: readonly Column[]): Map<Word, Column> {
  const found = new Map<Word, Column>();
  const numeric = columns.filter(({ isNumber }) => isNumber);
  const texts = columns.filter(({ isNumber }) => !isNumber);
  for (const [at, word] of line.words.entries()) {
    if (
      SIDE.test(word.text) &&
      found.has(line.words[at - 1]!) &&
      !columns.some(({ key, left, right }) => key === 'side' && word.right > left && word.left < right)
    ) {
      found.set(word, found.get(line.words[at - 1]!)!);
      continue;
    }
    const alone = SIDE.test(word.text) ? nearest(numeric, word) : undefined;
    // The balance whose `Cr` is on the next line.
    if (alone?.key === 'balance' && gapTo(alone, word) < 0) {
      found.set(word, alone);
      continue;
    }
    const plain = word.text.replace(/%$/, '');
    if (!readAmount(plain)) continue;
    const column = nearest(numeric, word);
    if (!column) continue;
    const under = gapTo(column, word) < 0;
    const inText = texts.some((one) => gapTo(one, word) < gapTo(column, word));
    if (under || (looksLikeMoney(plain) && !inText)) found.set(word, column);
  }
  return found;
}

/** Splits a line into columns. */
export function rowOf(line: Line, columns: readonly Column[]): Row {
  const row: Row = {};
  const numbers = numbersOf(line, columns);
  for (const [word, { key }] of numbers) (row[key] ??= []).push(word);
  const texts = columns.filter(({ isNumber }) => !isNumber);
  for (const cell of line.cells) {
    const words = cell.words.filter((word) => !numbers.has(word));
    if (words.length === 0 || texts.length === 0) continue;
    // A cell may span two columns: assign each word to the heading above it.
    const [home] = [nearest(texts, cellOf(words))!];
    (row[home.key] ??= []).push(...words);
  }
  return row;
}

export const textOf = (words: readonly Word[] | undefined): string =>
  words?.map(({ text }) => text).join(' ') ?? '';

/** Merges several lines into one row, in order. */
export function rowOfLines(lines: readonly Line[], columns: readonly Column[]): Row {
  const row: Row = {};
  for (const line of lines)
    for (const [key, words] of Object.entries(rowOf(line, columns))) (row[key] ??= []).push(...words);
  return row;
}

/** The lines of a table and after it, without repeated headings. */
export function* body(
  { lines }: Layout,
  header: Header,
  rules: readonly ColumnRule[],
  needs: readonly string[][],
): Generator<{ line: Line; at: number; columns: Column[] }> {
  const heads = headPattern(rules);
  let { columns } = header;
  for (let at = header.to; at < lines.length; at += 1) {
    const line = lines[at]!;
    const again = headerAt(lines, at, heads, needs);
    // A line above a repeated heading is not part of the table.
    const later = again && headerAt(lines, at + 1, heads, needs);
    const begins = again && (later?.columns.length ?? 0) < again.columns.length;
    if (begins && again.columns.length >= Math.min(3, columns.length)) {
      if (!header.isFixed) ({ columns } = again);
      at = again.to - 1;
      continue;
    }
    yield { line, at, columns };
  }
}

import type { Cell, Layout, Line, Word } from './page.ts';
import { boundsOf, cellOf } from './page.ts';
import { mergeStacked } from './columns.ts';
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
  /** How far the column reaches to both sides of its heading, as far as its values show. */
  reach?: { left: number; right: number };
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

function headingPatterns(rules: readonly ColumnRule[]): [ColumnRule, RegExp][] {
  const cached = PATTERNS.get(rules);
  if (cached) return cached;
  const patterns = rules.map<[ColumnRule, RegExp]>((rule) => [
    rule,
    new RegExp(
      String.raw`(?<![\p{L}\p{Nd}])(?:${rule.heads.replace(BLANK, (sign) => (sign === ' ' ? String.raw`[\s./-]*` : sign))})(?![\p{L}\p{Nd}])`,
      'iu',
    ),
  ]);
  PATTERNS.set(rules, patterns);
  return patterns;
}

/** The columns in a heading; two headings in one cell share its width. */
function columnsIn(cell: Cell, rules: readonly [ColumnRule, RegExp][]): Column[] {
  const matches = rules
    .flatMap(([rule, heading]) => {
      const match = heading.exec(cell.text);
      return match ? [{ rule, start: match.index, end: match.index + match[0].length }] : [];
    })
    .toSorted((a, b) => b.end - b.start - (a.end - a.start));
  const kept: typeof matches = [];
  for (const match of matches)
    if (!kept.some(({ start, end }) => match.start < end && start < match.end)) kept.push(match);
  // If a heading of two words names two columns, the first word counts.
  const isOneLine = new Set(cell.words.map(({ top }) => Math.round(top / 30))).size === 1;
  const headings = isOneLine ? kept.toSorted((a, b) => a.start - b.start) : kept.slice(0, 1);
  return headings.map(({ rule, start, end }) => {
    const { left, right } = headings.length === 1 ? cell : boundsOf(wordsBetween(cell, start, end));
    return { key: rule.key, isNumber: rule.isNumber ?? false, left, right };
  });
}

/** The lines of a heading: beside a cell of three lines, those of the others are between them. */
const [HEADING_ROWS, HEADING_LINES] = [3, 7];
/** A longer cell is no heading; the patterns of headings take quadratic time for one. */
const HEADING_CHARS = 90;
/** Whether a line is beside one that begins higher, and not below it. */
const isBeside = (line: Line | undefined, upper: Line | undefined): boolean =>
  line !== undefined &&
  upper !== undefined &&
  line.page === upper.page &&
  line.top < upper.bottom - (upper.bottom - upper.top) * 0.2;

/** The lines at and below an index that may be one heading. */
function headingLines(lines: readonly Line[], index: number): Line[] {
  const band: Line[] = [];
  let [rows, row] = [0, lines[index]];
  for (const line of lines.slice(index, index + HEADING_LINES)) {
    const last = band.at(-1);
    if (last && (line.page !== last.page || line.top - last.bottom > (line.bottom - line.top) * 0.9)) break;
    if (!last || !isBeside(line, row)) {
      rows += 1;
      row = line;
    }
    if (rows > HEADING_ROWS) break;
    band.push(line);
  }
  return band;
}

/** The heading that begins at a line: of those of one, two or three rows, the one with the most columns. */
function headerAt(
  lines: readonly Line[],
  index: number,
  patterns: [ColumnRule, RegExp][],
  needs: readonly string[][],
): Header | null {
  let best: Header | null = null;
  const band = headingLines(lines, index);
  for (let count = 1; count <= band.length; count += 1) {
    const columns: Column[] = [];
    for (const cell of mergeStacked(band.slice(0, count)))
      for (const column of cell.text.length < HEADING_CHARS ? columnsIn(cell, patterns) : [])
        if (!columns.some(({ key }) => key === column.key)) columns.push(column);
    const isComplete = needs.every((group) =>
      group.some((key) => columns.some((column) => column.key === key)),
    );
    if (!isComplete || columns.length <= (best?.columns.length ?? 0)) continue;
    let to = index + count;
    while (isBeside(lines[to], lines[to - 1])) to += 1;
    best = { from: index, to, columns: columns.toSorted((a, b) => a.left - b.left) };
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
  const patterns = headingPatterns(rules);
  for (let index = from; index < lines.length; index += 1) {
    const first = headerAt(lines, index, patterns, needs);
    if (!first) continue;
    // The line above the heading may have been included.
    const later = [index + 1, index + 2].flatMap((next) => headerAt(lines, next, patterns, needs) ?? []);
    return [first, ...later].reduce((a, b) => (b.columns.length >= a.columns.length ? b : a));
  }
  return null;
}

const gapTo = ({ left, right }: Column, word: Pick<Cell, 'left' | 'right'>): number => {
  const shared = Math.min(right, word.right) - Math.max(left, word.left);
  return shared > 0 ? -shared : -shared + 1;
};
const nearest = (columns: readonly Column[], word: Word | Cell): Column | undefined =>
  columns.toSorted((a, b) => gapTo(a, word) - gapTo(b, word))[0];

const reaching = (column: Column): Column => ({ ...column, ...column.reach });

const DATE = /^\d{1,2}[-/.](?:\d{1,2}|[a-z]{3})[-/.](?:\d{4}|\d{2})$/i;

/** The words of a cell by their cells: a date below its heading is one of its own, however near the next column is. */
function withoutDates(words: readonly Word[], columns: readonly Column[]): Word[][] {
  const dates = columns.filter(({ key }) => key.endsWith('date'));
  const isDate = (word: Word): boolean =>
    DATE.test(word.text) && dates.some((column) => gapTo(column, word) < 0);
  const others = words.filter((word) => !isDate(word));
  return [...words.filter(isDate).map((word) => [word]), ...(others.length > 0 ? [others] : [])];
}

/** Rows of a table that show how far its columns reach, and the cells that a row has at least. */
const [SHOWING_MAX, ROW_CELLS] = [200, 3];

/**
 * The columns of texts as wide as their values that are below one heading alone. A short value at the side of a wide
 * column, whose heading is in its middle, may be nearer to the next heading.
 */
function withReach(columns: readonly Column[], rows: readonly Line[]): Column[] {
  const cells = rows.flatMap((row) =>
    row.cells.length >= ROW_CELLS
      ? row.cells.flatMap(({ words }) => withoutDates(words, columns).map(cellOf))
      : [],
  );
  const wide = columns.map((column) => {
    if (column.isNumber) return column;
    const own = cells.filter((cell) => columns.every((one) => gapTo(one, cell) < 0 === (one === column)));
    return { ...column, reach: boundsOf([column, ...own].map((one) => ({ top: 0, bottom: 0, ...one }))) };
  });
  // Where two would cross, a value is of another column or of none.
  return wide.map((column, nth) => {
    const crosses = wide.some(
      (one, other) => other !== nth && column.reach && gapTo(reaching(one), column.reach) < 0,
    );
    return crosses ? columns[nth]! : column;
  });
}

const CREDIT_OR_DEBIT = /^\(?(?:cr|dr)\.?\)?$/i;

/** Words of a line that are numbers of the table: written as money, or right below the heading of a number. */
function numbersOf(line: Line, columns: readonly Column[]): Map<Word, Column> {
  const numbers = new Map<Word, Column>();
  const numeric = columns.filter(({ isNumber }) => isNumber);
  const texts = columns.filter(({ isNumber }) => !isNumber);
  for (const [index, word] of line.words.entries()) {
    if (
      CREDIT_OR_DEBIT.test(word.text) &&
      numbers.has(line.words[index - 1]!) &&
      !columns.some(({ key, left, right }) => key === 'side' && word.right > left && word.left < right)
    ) {
      numbers.set(word, numbers.get(line.words[index - 1]!)!);
      continue;
    }
    const columnOfMark = CREDIT_OR_DEBIT.test(word.text) ? nearest(numeric, word) : undefined;
    // The `Cr` of a balance on the line before.
    if (columnOfMark?.key === 'balance' && gapTo(columnOfMark, word) < 0) {
      numbers.set(word, columnOfMark);
      continue;
    }
    const plain = word.text.replace(/%$/, '');
    if (!readAmount(plain)) continue;
    const column = nearest(numeric, word);
    if (!column) continue;
    const isBelowHeading = gapTo(column, word) < 0;
    const isInText = texts.some((text) => gapTo(text, word) < gapTo(column, word));
    if (isBelowHeading || (looksLikeMoney(plain) && !isInText)) numbers.set(word, column);
  }
  return numbers;
}

/** Splits a line into columns. */
export function rowOf(line: Line, columns: readonly Column[]): Row {
  const row: Row = {};
  const numbers = numbersOf(line, columns);
  for (const [word, { key }] of numbers) (row[key] ??= []).push(word);
  const texts = columns.filter(({ isNumber }) => !isNumber);
  for (const cell of line.cells) {
    if (texts.length === 0) break;
    for (const words of withoutDates(
      cell.words.filter((word) => !numbers.has(word)),
      texts,
    )) {
      const text = cellOf(words);
      const isBelowHeading = texts.some((column) => gapTo(column, text) < 0);
      const { key } = nearest(isBelowHeading ? texts : texts.map(reaching), text)!;
      (row[key] ??= []).push(...words);
    }
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
export function* linesBelow(
  { lines }: Layout,
  header: Header,
  rules: readonly ColumnRule[],
  needs: readonly string[][],
): Generator<{ line: Line; index: number; columns: Column[] }> {
  const patterns = headingPatterns(rules);
  const reachOf = (columns: Column[], from: number) =>
    header.isFixed ? columns : withReach(columns, lines.slice(from, from + SHOWING_MAX));
  let columns = reachOf(header.columns, header.to);
  for (let index = header.to; index < lines.length; index += 1) {
    const line = lines[index]!;
    const repeated = headerAt(lines, index, patterns, needs);
    // A line above a repeated heading is not part of it.
    const next = repeated && headerAt(lines, index + 1, patterns, needs);
    const beginsHere = repeated && (next?.columns.length ?? 0) < repeated.columns.length;
    if (beginsHere && repeated.columns.length >= Math.min(3, columns.length)) {
      if (!header.isFixed) columns = reachOf(repeated.columns, repeated.to);
      index = repeated.to - 1;
      continue;
    }
    yield { line, index, columns };
  }
}

import type { Cell, Line, Word } from './page.ts';
import { boundsOf, cellOf } from './page.ts';

/** Lines of one cell are closer than table rows, by this share of their height. */
export const CLOSE = 0.28;
/** Lines of one heading are closer than this share of their height. */
export const CLOSE_HEADING = 0.55;
const LINES_MAX = 5;
/** Amounts, years and numbers, which no heading has: a line with them is one of labels and values. */
const FIGURES = /\d{4}|\d[.,]\d/;

const shared = (a: Cell, b: Cell): number => Math.min(a.right, b.right) - Math.max(a.left, b.left);

/** Merges cells that are above each other on consecutive lines. */
export function mergeStacked(lines: readonly Pick<Line, 'cells'>[]): Cell[] {
  const stacks: Word[][] = [];
  for (const { cells } of lines)
    for (const cell of cells) {
      const overlapping = stacks.filter((words) => {
        const { left, right } = boundsOf(words);
        return Math.min(right, cell.right) - Math.max(left, cell.left) > 0;
      });
      if (overlapping.length === 1) overlapping[0]!.push(...cell.words);
      else if (overlapping.length === 0) stacks.push([...cell.words]);
    }
  return stacks.map(cellOf);
}

const gapBetween = (upper: Line, lower: Line): number =>
  upper.page === lower.page ? (lower.top - upper.bottom) / Math.max(1, lower.bottom - lower.top) : Infinity;

/** The headings of the row that a label is in, from left to right; null if it is no row of headings above a line. */
function headingsOf(lines: readonly Line[], index: number, below: number): Cell[] | null {
  const own = lines[index]!;
  // Of headings of unequal heights the short ones are between the lines of the others.
  const above = lines.slice(Math.max(0, index - 2), index).filter((line) => gapBetween(line, own) < 0);
  const row = [own, ...above];
  for (let next = index + 1; next < below; next += 1) {
    if (gapBetween(lines[next - 1]!, lines[next]!) > CLOSE_HEADING) return null;
    row.push(lines[next]!);
  }
  const headings = mergeStacked(row).toSorted((a, b) => a.left - b.left);
  return headings.some(({ text }) => FIGURES.test(text)) ? null : headings;
}

/** The lines of a row of values, each cell of which may have several. */
function rowAt(lines: readonly Line[], first: number, isLabel: (text: string) => boolean): Line[] {
  const row: Line[] = [];
  for (let next = first; lines[next] && row.length < LINES_MAX; next += 1) {
    const line = lines[next]!;
    const isApart = next > first && gapBetween(lines[next - 1]!, line) > CLOSE;
    if (isApart || line.cells.some(({ text }) => isLabel(text))) break;
    row.push(line);
  }
  return row;
}

/**
 * The heading of each value, all from left to right, so that centred headings are found for values at the left or the
 * right of their columns. No value reaches into another column, so that one which is partly below a heading belongs to
 * it; the others belong, in their order, to the headings between, if there are as many. Undefined where it is open.
 */
export function headingsOfValues(headings: readonly Cell[], values: readonly Cell[]): (number | undefined)[] {
  const found = values.map((value) => headings.flatMap((one, at) => (shared(one, value) > 0 ? [at] : [])));
  const isOrdered = found.flat().every((at, nth, all) => nth === 0 || all[nth - 1]! <= at);
  if (!isOrdered || found.some((below) => below.length > 1)) return values.map(() => undefined);
  const known = found.map(([at]) => at);
  return known.map((heading, nth) => {
    if (heading !== undefined) return heading;
    const before = known.findLastIndex((at, index) => index < nth && at !== undefined);
    const after = known.findIndex((at, index) => index > nth && at !== undefined);
    const first = before < 0 ? 0 : known[before]! + 1;
    const last = after < 0 ? headings.length : known[after]!;
    const count = (after < 0 ? values.length : after) - before - 1;
    return last - first === count ? first + nth - before - 1 : undefined;
  });
}

/**
 * The cells of the first row of values, from the line `below`, that are in the column of a label, if the label is one
 * of several headings.
 */
export function cellsInColumn(
  lines: readonly Line[],
  [index, below]: readonly [index: number, below: number],
  label: Cell,
  isLabel: (text: string) => boolean,
): Cell[] {
  const headings = headingsOf(lines, index, below);
  const row = rowAt(lines, below, isLabel);
  const values = mergeStacked(row).toSorted((a, b) => a.left - b.left);
  if (!headings || headings.length < 2 || values.length < 2) return [];
  const own = headings.findIndex(({ words }) => words.includes(label.words[0]!));
  const columns = headingsOfValues(headings, values);
  const nth = columns.indexOf(own);
  if (own < 0 || nth < 0 || columns.includes(own, nth + 1)) return [];
  return row.flatMap(({ cells }) => cells.filter(({ words }) => values[nth]!.words.includes(words[0]!)));
}

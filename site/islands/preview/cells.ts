import type { Cell } from '#server/previews/contract.ts';

export const ROW_HEIGHT = 28;
/** Width of the row-number column, in pixels. */
export const NUMBERS_WIDTH = 56;
const [NARROWEST, WIDEST] = [56, 440];
/** Approximate widths in pixels: of a letter, of a tabular digit, and of the cell's padding. */
const [LETTER, DIGIT, BESIDE] = [7.6, 8.6, 20];
/** Rows measured for the column widths; longer texts in later rows are truncated. */
const MEASURED = 300;

export const textOf = (cell: Cell | undefined): string =>
  cell === undefined ? '' : typeof cell === 'string' ? cell : cell.n;
export const isFigure = (cell: Cell | undefined): boolean => typeof cell === 'object';

/** Column letters: `A` to `Z`, then `AA`. `index` counts from 0. */
export function letterOf(column: number): string {
  const before = Math.floor(column / 26);
  return (before > 0 ? letterOf(before - 1) : '') + String.fromCharCode(65 + (column % 26));
}

/** The width of each column in pixels, by its cells' texts. A title alone in its row widens no column. */
export function widthsOf(rows: readonly (readonly Cell[])[], columns: number): number[] {
  const needed = Array.from({ length: columns }, () => 0);
  for (const row of rows.slice(0, MEASURED)) {
    const alone = row.filter((cell) => textOf(cell) !== '').length === 1 && columns > 1;
    for (const [index, cell] of row.entries()) {
      if (alone && !isFigure(cell)) continue;
      const line = textOf(cell).split('\n', 1)[0]!;
      needed[index] = Math.max(needed[index] ?? 0, line.length * (isFigure(cell) ? DIGIT : LETTER));
    }
  }
  return needed.map((width) => Math.min(WIDEST, Math.max(NARROWEST, Math.ceil(width + BESIDE))));
}

/** Rows searched for the header row, and rows below it that show whether a column contains figures. */
const [HEADED, FOLLOWING] = [40, 20];
const filled = (row: readonly Cell[] = []): number => row.filter((cell) => textOf(cell) !== '').length;

/**
 * The index of the header row, below the titles that banks put first: a row of short distinct texts, as wide as the table,
 * with figures below. Null if no row clearly qualifies.
 */
export function headerOf(rows: readonly (readonly Cell[])[]): number | null {
  const top = rows.slice(0, HEADED);
  const widest = Math.max(0, ...rows.slice(0, HEADED + FOLLOWING).map(filled));
  const index = top.findIndex((row) => {
    const texts = row.map(textOf).filter((text) => text !== '');
    return (
      texts.length > 1 &&
      texts.length >= widest * 0.6 &&
      texts.length === new Set(texts).size &&
      row.every((cell) => !isFigure(cell) && textOf(cell).length <= 60)
    );
  });
  const below = rows.slice(index + 1, index + 1 + FOLLOWING);
  return index >= 0 && below.some((row) => row.some(isFigure)) ? index : null;
}

/** The columns with figures below the header row. */
export function figureColumns(rows: readonly (readonly Cell[])[], header: number): Set<number> {
  const below = rows.slice(header + 1, header + 1 + FOLLOWING);
  return new Set(below.flatMap((row) => row.flatMap((cell, column) => (isFigure(cell) ? [column] : []))));
}

/** The left edge of each column, and the right edge of the last one. */
export const edgesOf = (widths: readonly number[]): number[] =>
  widths.reduce<number[]>((edges, width) => [...edges, (edges.at(-1) ?? 0) + width], [0]);

/** The last column that the text of `column` covers: it overflows into empty cells, as in a spreadsheet. */
export function reach(row: readonly Cell[], column: number, columns: number): number {
  if (isFigure(row[column])) return column;
  let end = column;
  while (end + 1 < columns && textOf(row[end + 1]) === '') end += 1;
  return end;
}

export interface Place {
  row: number;
  column: number;
}
export interface Range {
  from: Place;
  to: Place;
}

const between = (a: number, b: number) => ({ first: Math.min(a, b), last: Math.max(a, b) });
const rowsIn = ({ from, to }: Range) => between(from.row, to.row);
const columnsIn = ({ from, to }: Range) => between(from.column, to.column);

export function isIn(range: Range | null, { row, column }: Place): boolean {
  if (!range) return false;
  const [rows, columns] = [rowsIn(range), columnsIn(range)];
  return row >= rows.first && row <= rows.last && column >= columns.first && column <= columns.last;
}

const quoted = (text: string): string => (/["\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Tab-separated text, the clipboard format of spreadsheets. */
export function copied(rows: readonly (readonly Cell[])[], range: Range): string {
  const [lines, columns] = [rowsIn(range), columnsIn(range)];
  return Array.from({ length: lines.last - lines.first + 1 }, (_, down) =>
    Array.from({ length: columns.last - columns.first + 1 }, (_unused, right) =>
      quoted(textOf(rows[lines.first + down]?.[columns.first + right])),
    ).join('\t'),
  ).join('\n');
}

/** The range of rows or columns with these `edges` that is visible from `from` to `to` pixels. */
export function seenOf(edges: readonly number[], from: number, to: number): { start: number; end: number } {
  const start = Math.max(0, edges.findIndex((edge) => edge > from) - 1);
  const after = edges.findIndex((edge) => edge >= to);
  return { start, end: after < 0 ? edges.length - 1 : Math.min(after, edges.length - 1) };
}

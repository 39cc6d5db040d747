import type { Cell, SheetView } from '../contract.ts';
import type { Context, Paper } from './paper.ts';
import { A4, FAINT, font, INK, LINE, MARGIN } from './paper.ts';

const SIZE = 7.5;
const LEADING = 10;
/** The average width of a letter; wider text is condensed. */
const LETTER = SIZE * 0.56;
const PAD = 3;
/** The width limits of a column, in letters. */
const [NARROW, WIDE] = [4, 46];
/** Lines per cell; a longer text is cut and ends with an ellipsis. */
const LINES_MAX = 36;
/** The width of the row numbers, and the height of the sheet's name and the column letters. */
const [NUMBERS, HEAD] = [30, 34];
const [WIDTH, HEIGHT] = [A4.long, A4.short];
const ROOM = { width: WIDTH - 2 * MARGIN - NUMBERS, height: HEIGHT - 2 * MARGIN - HEAD };

const EMPTY = 'This sheet is empty.';
const LEFT_OUT = 'This sheet is not shown, since the sheets before it are so large.';

const textOf = (cell: Cell | undefined): string =>
  cell === undefined ? '' : typeof cell === 'string' ? cell : cell.n;

/** Breaks a cell's text into lines of at most `letters`, between words where possible. */
function linesOf(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const part of text.split('\n')) {
    let rest = part;
    while (rest.length > letters) {
      const space = rest.lastIndexOf(' ', letters);
      const end = space > 0 ? space : letters;
      lines.push(rest.slice(0, end));
      rest = rest.slice(end).trimStart();
    }
    lines.push(rest);
  }
  return lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX - 1), '…'] : lines;
}

/** `A`, `B` … `AA`. */
function letterOf(column: number): string {
  const rest = String.fromCharCode(65 + (column % 26));
  return column < 26 ? rest : letterOf(Math.floor(column / 26) - 1) + rest;
}

interface SheetPage {
  sheet: SheetView;
  /** The width in letters of every column of the sheet. */
  widths: readonly number[];
  columns: readonly [from: number, to: number];
  rows: readonly [from: number, to: number];
}
const points = (letters: number): number => letters * LETTER + 2 * PAD;

const heightOf = (
  row: readonly Cell[],
  widths: readonly number[],
  [from, to]: SheetPage['columns'],
): number => {
  let lines = 1;
  for (let index = from; index < to; index += 1) {
    const text = textOf(row[index]);
    const letters = widths[index] ?? WIDE;
    if (text.length > letters || text.includes('\n')) lines = Math.max(lines, linesOf(text, letters).length);
  }
  return lines * LEADING + PAD;
};

/** Breaks a sheet into pages in print order: down, then over to the columns that did not fit. */
function* pagesOf(sheet: SheetView): Generator<SheetPage> {
  const { rows } = sheet;
  const count = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const widths = Array.from({ length: count }, (_, index) => {
    const longest = rows.reduce((most, row) => Math.max(most, textOf(row[index]).length), 0);
    return Math.min(WIDE, Math.max(NARROW, longest + 1));
  });
  for (let from = 0, to = 0; from < Math.max(1, count); from = to) {
    let width = 0;
    for (to = from; to < count; to += 1) {
      width += points(widths[to] ?? WIDE);
      if (width > ROOM.width && to > from) break;
    }
    to = Math.max(to, from + 1);
    const columns = [from, to] as const;
    let first = 0;
    let height = 0;
    for (const [index, row] of rows.entries()) {
      const rowHeight = heightOf(row, widths, columns);
      if (height + rowHeight > ROOM.height && index > first) {
        yield { sheet, widths, columns, rows: [first, index] };
        [first, height] = [index, 0];
      }
      height += rowHeight;
    }
    yield { sheet, widths, columns, rows: [first, rows.length] };
  }
}

function drawPage(context: Context, { sheet, widths, columns, rows }: SheetPage): void {
  const [left, top] = [MARGIN + NUMBERS, MARGIN + HEAD];
  const shown = widths.slice(...columns);
  const total = shown.reduce((sum, letters) => sum + points(letters), 0);
  const rule = (y: number) => context.fillRect(MARGIN, y, NUMBERS + total, 0.5);
  context.font = font(9, true);
  context.fillText(sheet.name, MARGIN, MARGIN + 8, WIDTH - 2 * MARGIN);
  context.font = font(SIZE);
  context.fillStyle = FAINT;
  if (sheet.rows.length === 0) context.fillText(sheet.total_rows > 0 ? LEFT_OUT : EMPTY, MARGIN, top);
  let x = left;
  for (const [index, letters] of shown.entries()) {
    context.fillText(letterOf(columns[0] + index), x + PAD, top - 4);
    x += points(letters);
  }
  let y = top;
  for (const [index, row] of sheet.rows.slice(...rows).entries()) {
    context.fillStyle = LINE;
    rule(y);
    context.fillStyle = FAINT;
    context.fillText(String(rows[0] + index + 1), MARGIN, y + LEADING - 2.5);
    context.fillStyle = INK;
    x = left;
    for (const [place, letters] of shown.entries()) {
      const cell = row[columns[0] + place];
      const width = points(letters);
      const right = typeof cell === 'object';
      context.textAlign = right ? 'right' : 'left';
      for (const [line, text] of linesOf(textOf(cell), letters).entries())
        context.fillText(
          text,
          right ? x + width - PAD : x + PAD,
          y + (line + 1) * LEADING - 2.5,
          width - PAD,
        );
      x += width;
    }
    context.textAlign = 'left';
    y += heightOf(row, widths, columns);
  }
  context.fillStyle = LINE;
  rule(y);
  const isEndOfPart = sheet.total_rows > sheet.rows.length && rows[1] === sheet.rows.length;
  if (!isEndOfPart || sheet.rows.length === 0) return;
  context.fillStyle = FAINT;
  const [part, all] = [sheet.rows.length, sheet.total_rows].map((n) => n.toLocaleString('en-IN'));
  context.fillText(`These are the first ${part} of ${all} rows.`, MARGIN, HEIGHT - MARGIN / 2);
}

/** All sheets of a workbook on pages, with column letters and row numbers. */
export function tablePaper(sheets: readonly SheetView[]): Paper {
  const pages = sheets.flatMap((sheet) => [...pagesOf(sheet)]);
  return {
    width: WIDTH,
    height: HEIGHT,
    pages: pages.length,
    draw: (context, page) => drawPage(context, pages[page - 1]!),
  };
}

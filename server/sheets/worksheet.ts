import type { Cell, Row, Sheet, SheetLimits } from './contract.ts';
import { SheetsUnreadable } from './contract.ts';
import { dateOf, dayOf } from './dates.ts';
import type { Parts } from './office-package.ts';
import { createTextCollector, decodeEscapes } from './strings.ts';

interface Workbook {
  strings: readonly string[];
  dateStyles: readonly boolean[];
  from1904: boolean;
  limits: SheetLimits;
  /** The remaining budget of all sheets; empty cells before a cell count too. */
  budget: { cells: number; letters: number };
}

const EMPTY_CELL: Cell = { text: '', kind: 'text' };

/** The column index from 0; -1 for an invalid reference. */
function columnOf(reference: string | undefined): number {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0] ?? '';
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Spreadsheets keep 15 digits, so that 0.1 + 0.2 is 0.3. */
const numberText = (number: number): string => String(Number(number.toPrecision(15)));

/** Reads the rows of a sheet. @throws {SheetsUnreadable} */
export async function readWorksheet(
  parts: Parts,
  path: string,
  { strings, dateStyles, from1904, limits, budget }: Workbook,
): Promise<Omit<Sheet, 'name' | 'hidden'>> {
  const rows: Row[] = [];
  const collector = createTextCollector();
  let row: Row = { number: 0, cells: [] };
  let column = -1;
  let type = '';
  let isDate = false;
  let more_rows = false;
  let more_columns = false;
  let done = false;

  function cellOf(raw: string): Cell {
    if (type === 's') return { text: strings[Number(raw)] ?? '', kind: 'text' };
    if (type === 'inlineStr' || type === 'str') return { text: decodeEscapes(raw).trim(), kind: 'text' };
    const text = raw.trim();
    if (type === 'e') return { text, kind: 'error' };
    if (type === 'b') return { text: text === '1' ? 'TRUE' : 'FALSE', kind: 'boolean' };
    if (type === 'd') return { text: dayOf(text), kind: 'date' };
    const number = text === '' ? NaN : Number(text);
    if (!Number.isFinite(number)) return { text, kind: 'text' };
    const date = isDate ? dateOf(number, from1904) : null;
    return date === null ? { text: numberText(number), kind: 'number' } : { text: date, kind: 'date' };
  }

  function put(cell: Cell): void {
    if (cell.text === '') return;
    if (column >= limits.columns) {
      more_columns = true;
      return;
    }
    budget.letters -= cell.text.length;
    budget.cells -= Math.max(1, column + 1 - row.cells.length);
    if (budget.letters < 0 || budget.cells < 0) throw new SheetsUnreadable('too_large');
    while (row.cells.length < column) row.cells.push(EMPTY_CELL);
    row.cells[column] = cell;
  }

  function endRow(): void {
    if (row.cells.length === 0) return;
    done = rows.length === limits.rows;
    if (done) more_rows = true;
    else rows.push(row);
  }

  await parts.read(path, {
    open(name, { r, t = '', s }) {
      if (done) return;
      collector.open(name);
      if (name === 'row') {
        row = { number: Number(r) || row.number + 1, cells: [] };
        column = -1;
      } else if (name === 'c') {
        const index = columnOf(r);
        column = index < 0 ? column + 1 : index;
        type = t;
        isDate = dateStyles[Number(s ?? 0)] ?? false;
      }
    },
    text(text) {
      if (!done) collector.text(text);
    },
    close(name) {
      if (done) return;
      collector.close(name);
      if (name === 'c') {
        const raw = collector.take();
        if (raw !== '') put(cellOf(raw));
      } else if (name === 'row') endRow();
      else if (name === 'sheetData') done = true;
    },
    enough: () => done,
  });
  return { rows, more_rows, more_columns };
}

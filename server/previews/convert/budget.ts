import type { Cell, SheetView } from '../contract.ts';
import { COLUMNS_SHOWN, ROWS_SHOWN } from '../contract.ts';

/** Cells and characters shown of a file, all sheets together, as much as a browser displays smoothly. */
const CELLS_MAX = 400_000;
const CHARACTERS_MAX = 6_000_000;
/** Characters per cell. */
const CELL_MAX = 2000;

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.n);

function short(cell: Cell): Cell {
  const text = textOf(cell);
  if (text.length <= CELL_MAX) return cell;
  const cut = `${text.slice(0, CELL_MAX)}…`;
  return typeof cell === 'string' ? cut : { n: cut };
}

/** The remaining cells and characters that may be shown of a file. */
export class Budget {
  #cells = CELLS_MAX;
  #characters = CHARACTERS_MAX;

  get spent(): boolean {
    return this.#cells <= 0 || this.#characters <= 0;
  }

  /** The part of a sheet that fits the budget. @param source its first rows; a larger sheet has more rows than are shown. */
  sheet(name: string, source: readonly (readonly Cell[])[]): SheetView {
    const rows: Cell[][] = [];
    let columns = 0;
    let last = 0;
    for (const [index, cells] of source.entries()) {
      const width = cells.findLastIndex((cell) => textOf(cell).trim() !== '') + 1;
      columns = Math.max(columns, width);
      if (width > 0) last = index + 1;
      if (rows.length >= ROWS_SHOWN || this.spent) continue;
      const shown = cells.slice(0, Math.min(width, COLUMNS_SHOWN)).map(short);
      this.#cells -= shown.length;
      this.#characters -= shown.reduce((sum, cell) => sum + textOf(cell).length, 0);
      rows.push(shown);
    }
    while (rows.at(-1)?.length === 0) rows.pop();
    return { name, rows, total_rows: last, total_columns: columns };
  }
}

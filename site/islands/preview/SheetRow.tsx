import type { Cell } from '#server/previews/contract.ts';
import type { Range } from './cells.ts';
import { isFigure, isIn, NUMBERS_WIDTH, reach, textOf } from './cells.ts';

export interface SheetRowProps {
  row: readonly Cell[];
  /** Its place in the sheet, from 0; without one its cells cannot be selected. */
  at?: number;
  /** The columns that are seen: from `start` to before `end`. */
  start: number;
  end: number;
  edges: readonly number[];
  columns: number;
  range: Range | null;
  /** Cells with words that it was found by, as `row column`. */
  found: ReadonlySet<string> | null;
  /** Of the row that names the columns: those with figures below, whose names stand to the right as well. */
  heads?: ReadonlySet<number>;
}

/** The cells of one row. */
export function SheetRow({ row, at, start, end, edges, columns, range, found, heads }: SheetRowProps) {
  const isSelected = (column: number) => at !== undefined && isIn(range, { row: at, column });
  const cells = [];
  // A text that began further left is drawn from there.
  let column = start;
  while (column > 0 && textOf(row[column]) === '') column -= 1;
  if (textOf(row[column]) === '') column = start;
  while (column < end) {
    const cell = row[column];
    const text = textOf(cell);
    const selected = isSelected(column);
    const toRight = isFigure(cell) || heads?.has(column);
    let over = text === '' || selected || toRight ? column : reach(row, column, columns);
    while (over > column && isSelected(over)) over -= 1;
    cells.push(
      <span
        key={column}
        role="cell"
        aria-colindex={column + 2}
        {...(at !== undefined && { 'data-cell': `${at} ${column}` })}
        data-figure={toRight || undefined}
        data-head={(heads && true) || undefined}
        data-selected={selected || undefined}
        data-found={found?.has(`${at} ${column}`) || undefined}
        className="sheet-value"
        style={{ left: NUMBERS_WIDTH + edges[column]!, width: edges[over + 1]! - edges[column]! }}
      >
        {text}
      </span>,
    );
    // The empty cells that a text goes over would cover it.
    column = over + 1;
  }
  return <>{cells}</>;
}

import type { Cell } from '#server/previews/contract.ts';
import type { Range } from './cells.ts';
import { isFigure, isIn, NUMBERS_WIDTH, reach, textOf } from './cells.ts';

export interface SheetRowProps {
  row: readonly Cell[];
  /** The row's index in the sheet, from 0; without it the cells cannot be selected. */
  at?: number;
  /** The visible columns, from `start` to before `end`. */
  start: number;
  end: number;
  edges: readonly number[];
  columns: number;
  range: Range | null;
  /** Cells with matched words, as `row column`. */
  found: ReadonlySet<string> | null;
  /** In the header row: the columns of figures, whose headers are right-aligned too. */
  heads?: ReadonlySet<number>;
}

/** The cells of one row. */
export function SheetRow({ row, at, start, end, edges, columns, range, found, heads }: SheetRowProps) {
  const isSelected = (column: number) => at !== undefined && isIn(range, { row: at, column });
  const cells = [];
  // A text that overflows from a column further left is rendered from there.
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
    // Empty cells under an overflowing text are skipped, since they would cover it.
    column = over + 1;
  }
  return <>{cells}</>;
}

/** Which rows are drawn, of all there are. */
export interface Slice {
  start: number;
  /** Not drawn any more. */
  end: number;
}

export interface Viewport {
  /** Pixels between the top of the rows and the top of what is seen; negative while the rows begin further down. */
  scrolled: number;
  height: number;
  rowHeight: number;
  /** Items in one row: 1 in a list. */
  columns: number;
}

/** Rows drawn beyond each edge, so that a scroll by wheel shows no gap. */
const OVERSCAN = 12;

export function slice(count: number, { scrolled, height, rowHeight, columns }: Viewport): Slice {
  const rows = Math.ceil(count / columns);
  const first = Math.floor(scrolled / rowHeight) - OVERSCAN;
  const last = Math.ceil((scrolled + height) / rowHeight) + OVERSCAN;
  const start = Math.min(Math.max(0, first), rows);
  const end = Math.max(start, Math.min(rows, last));
  return { start: start * columns, end: Math.min(count, end * columns) };
}

/** How far to scroll so that the row is seen whole, below a sticky `header`; null when it is. */
export function scrollTopFor(index: number, viewport: Viewport, header: number): number | null {
  const { scrolled, height, rowHeight, columns } = viewport;
  const top = Math.floor(index / columns) * rowHeight;
  if (top < scrolled + header) return top - header;
  if (top + rowHeight > scrolled + height) return top + rowHeight - height;
  return null;
}

/** Where an arrow or a page key leads from `index`; null when it is no such key. */
export function nextIndex(
  key: string,
  index: number,
  count: number,
  { height, rowHeight, columns }: Viewport,
): number | null {
  const page = Math.max(1, Math.floor(height / rowHeight) - 1) * columns;
  const by: Record<string, number> = {
    ArrowDown: columns,
    ArrowUp: -columns,
    PageDown: page,
    PageUp: -page,
    Home: -count,
    End: count,
    ...(columns > 1 && { ArrowRight: 1, ArrowLeft: -1 }),
  };
  const delta = by[key];
  if (delta === undefined || count === 0) return null;
  // The first key of all goes to the first row, from wherever the list was entered.
  if (index < 0) return key === 'End' ? count - 1 : 0;
  const to = index + delta;
  if (Math.abs(delta) === columns && columns > 1 && (to < 0 || to >= count)) {
    const lastRow = Math.floor((count - 1) / columns);
    return to >= count && Math.floor(index / columns) < lastRow ? count - 1 : index;
  }
  return Math.min(count - 1, Math.max(0, to));
}

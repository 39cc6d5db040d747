/** The range of items to render. */
export interface Slice {
  start: number;
  /** Exclusive. */
  end: number;
}

export interface Viewport {
  /** Pixels from the top of the rows to the top of the viewport; negative while the rows begin further down. */
  scrolled: number;
  height: number;
  rowHeight: number;
  /** Items in one row: 1 in a list. */
  columns: number;
}

/** Rows rendered beyond each edge, so that scrolling by wheel shows no gap. */
const OVERSCAN = 12;

export function slice(count: number, { scrolled, height, rowHeight, columns }: Viewport): Slice {
  const rows = Math.ceil(count / columns);
  const first = Math.floor(scrolled / rowHeight) - OVERSCAN;
  const last = Math.ceil((scrolled + height) / rowHeight) + OVERSCAN;
  const start = Math.min(Math.max(0, first), rows);
  const end = Math.max(start, Math.min(rows, last));
  return { start: start * columns, end: Math.min(count, end * columns) };
}

/** The scroll position that makes the row fully visible below a sticky `header`; null if it already is. */
export function scrollTopFor(index: number, viewport: Viewport, header: number): number | null {
  const { scrolled, height, rowHeight, columns } = viewport;
  const top = Math.floor(index / columns) * rowHeight;
  if (top < scrolled + header) return top - header;
  if (top + rowHeight > scrolled + height) return top + rowHeight - height;
  return null;
}

/** The index to which a navigation key leads from `index`; null for any other key. */
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
  // Without a focused row the first key leads to the first row.
  if (index < 0) return key === 'End' ? count - 1 : 0;
  const to = index + delta;
  if (Math.abs(delta) === columns && columns > 1 && (to < 0 || to >= count)) {
    const lastRow = Math.floor((count - 1) / columns);
    return to >= count && Math.floor(index / columns) < lastRow ? count - 1 : index;
  }
  return Math.min(count - 1, Math.max(0, to));
}

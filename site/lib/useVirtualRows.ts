import type { RefObject } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Slice, Viewport } from './virtualRows.ts';
import { slice } from './virtualRows.ts';

/** Rows of the first paint, when nothing is measured yet. */
const FIRST = 40;

/**
 * Draws only the rows near the eye. The row's height and the number of columns are CSS's to decide: they are read from
 * the first row's box and from the grid that holds the rows.
 */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  rows: RefObject<HTMLElement | null>,
  count: number,
) {
  const [drawn, setDrawn] = useState<Slice & { columns: number }>({ start: 0, end: FIRST, columns: 1 });
  const last = useRef(drawn);

  const measure = useCallback((): Viewport | null => {
    const outer = scroller.current;
    const inner = rows.current;
    const row = inner?.querySelector<HTMLElement>('[data-id]');
    if (!outer || !inner) return null;
    const style = getComputedStyle(inner);
    const columns = style.display === 'grid' ? style.gridTemplateColumns.split(' ').length : 1;
    const gap = style.display === 'grid' ? Number.parseFloat(style.rowGap) || 0 : 0;
    const rowHeight = (row?.getBoundingClientRect().height ?? 40) + gap;
    const scrolled = outer.getBoundingClientRect().top - inner.getBoundingClientRect().top;
    return { scrolled, height: outer.clientHeight, rowHeight, columns };
  }, [scroller, rows]);

  const update = useCallback(() => {
    const viewport = measure();
    if (!viewport) return;
    const next = { ...slice(count, viewport), columns: viewport.columns };
    const { start, end, columns } = last.current;
    if (next.start === start && next.end === end && next.columns === columns) return;
    last.current = next;
    setDrawn(next);
  }, [count, measure]);

  // Not a layout effect: the scroller stands above, and its ref is set after those of its children have run.
  useEffect(() => {
    update();
    const outer = scroller.current;
    if (!outer) return undefined;
    const observer = new ResizeObserver(update);
    observer.observe(outer);
    outer.addEventListener('scroll', update, { passive: true });
    return () => {
      observer.disconnect();
      outer.removeEventListener('scroll', update);
    };
  }, [scroller, update]);

  const end = Math.min(drawn.end, count);
  const start = Math.min(drawn.start, end);
  // Stand for the rows that are not drawn; `--row` is the height of one, with the gap below it.
  const padding = {
    paddingTop: `calc(var(--row) * ${start / drawn.columns})`,
    paddingBottom: `calc(var(--row) * ${Math.ceil((count - end) / drawn.columns)})`,
  };
  return { start, end, padding, measure };
}

import type { RefObject } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Slice, Viewport } from './virtualRows.ts';
import { slice } from './virtualRows.ts';

/** Rows rendered before the first measurement. */
const INITIAL_ROWS = 40;

/**
 * Virtualises a list: renders only the rows near the viewport. CSS decides the row height and the number of columns; they
 * are measured from the first row and from the grid that contains the rows.
 */
export function useVirtualRows(
  scroller: RefObject<HTMLElement | null>,
  rows: RefObject<HTMLElement | null>,
  count: number,
) {
  const [rendered, setRendered] = useState<Slice & { columns: number }>({
    start: 0,
    end: INITIAL_ROWS,
    columns: 1,
  });
  const last = useRef(rendered);

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
    setRendered(next);
  }, [count, measure]);

  // Not a layout effect: the scroller is a parent, whose ref is set after the children's layout effects have run.
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

  // Paper does not scroll: it gets all rows.
  useEffect(() => {
    const printAll = () => flushSync(() => setRendered({ ...last.current, start: 0, end: count }));
    const restore = () => setRendered(last.current);
    window.addEventListener('beforeprint', printAll);
    window.addEventListener('afterprint', restore);
    return () => {
      window.removeEventListener('beforeprint', printAll);
      window.removeEventListener('afterprint', restore);
    };
  }, [count]);

  const end = Math.min(rendered.end, count);
  const start = Math.min(rendered.start, end);
  // Padding in place of the rows that are not rendered; `--row` is the row height including the gap, set in
  // `items.css` and `clients.css`.
  const padding = {
    paddingTop: `calc(var(--row) * ${start / rendered.columns})`,
    paddingBottom: `calc(var(--row) * ${Math.ceil((count - end) / rendered.columns)})`,
  };
  return { start, end, padding, measure };
}

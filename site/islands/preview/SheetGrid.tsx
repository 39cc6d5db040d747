import type { KeyboardEvent, PointerEvent } from 'react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { SheetView } from '#server/previews/contract.ts';
import * as t from '#messages/preview.ts';
import type { Place, Range } from './cells.ts';
import {
  edgesOf,
  figureColumns,
  headerOf,
  letterOf,
  NUMBERS_WIDTH,
  ROW_HEIGHT,
  seenOf,
  widthsOf,
} from './cells.ts';
import type { FoundCells } from './foundCells.ts';
import { SheetRow } from './SheetRow.tsx';

/** Rows rendered beyond each edge, so that scrolling by wheel shows no gap. */
const OVERSCAN = 10;
/** Pixels by which Shift+arrow scrolls horizontally; arrows alone lead to other files. */
const SCROLL_STEP_PX = 120;
/** The share of the viewport's height above a row that is scrolled into view. */
const SCROLL_POSITION = 0.35;

export interface SheetGridProps {
  sheet: SheetView;
  label: string;
  range: Range | null;
  onRange: (range: Range | null) => void;
  /** The cells of the text match, which are highlighted and scrolled into view. */
  found: Pick<FoundCells, 'place' | 'cells'> | null;
}

/** A virtualised grid of cells with column letters and row numbers. */
export function SheetGrid({ sheet: { rows }, label, range, onRange, found }: SheetGridProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, left: 0, width: 1400, height: 800 });
  const columns = useMemo(() => Math.max(1, ...rows.map((row) => row.length)), [rows]);
  const edges = useMemo(() => edgesOf(widthsOf(rows, columns)), [rows, columns]);
  const totalWidth = edges.at(-1) ?? 0;

  useEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const look = () =>
      setView({ top: box.scrollTop, left: box.scrollLeft, width: box.clientWidth, height: box.clientHeight });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, []);

  useEffect(() => {
    const box = scroller.current;
    if (!box || !found) return;
    const { row, column } = found.place;
    box.scrollTo({
      top: row * ROW_HEIGHT - box.clientHeight * SCROLL_POSITION,
      left: (edges[column] ?? 0) - SCROLL_STEP_PX,
    });
  }, [found, edges]);

  const first = Math.max(0, Math.floor(view.top / ROW_HEIGHT) - OVERSCAN);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / ROW_HEIGHT) + OVERSCAN);
  const { start, end } = seenOf(edges, view.left, view.left + view.width);
  const header = useMemo(() => headerOf(rows), [rows]);
  const heads = useMemo(
    () => (header === null ? new Set<number>() : figureColumns(rows, header)),
    [rows, header],
  );
  const drawn = { start, end, edges, columns, range, found: found?.cells ?? null };

  const placeOf = (target: EventTarget): Place | null => {
    const cell = target instanceof Element ? target.closest<HTMLElement>('[data-cell]') : null;
    const [row, column] = (cell?.dataset.cell ?? '').split(' ').map(Number);
    return row === undefined || column === undefined || Number.isNaN(row) ? null : { row, column };
  };
  const onPointerDown = (event: PointerEvent) => {
    // On touch screens dragging scrolls; a tap selects, by its click event.
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const place = placeOf(event.target);
    if (place)
      onRange(event.shiftKey && range ? { from: range.from, to: place } : { from: place, to: place });
  };
  const onPointerMove = (event: PointerEvent) => {
    if ((event.buttons & 1) === 0 || event.pointerType === 'touch' || !range) return;
    const place = placeOf(event.target);
    if (place) onRange({ from: range.from, to: place });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const box = scroller.current;
    if (!box) return;
    if (event.shiftKey && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
      event.preventDefault();
      box.scrollBy({ left: event.key === 'ArrowRight' ? SCROLL_STEP_PX : -SCROLL_STEP_PX });
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      onRange({ from: { row: 0, column: 0 }, to: { row: rows.length - 1, column: columns - 1 } });
    }
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- cells are selected to be copied
    <div
      ref={scroller}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns + 1}
      // A scrollable region must be focusable.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="sheet-scroller"
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onClick={({ target, nativeEvent }) => {
        const place = placeOf(target);
        const byFinger =
          nativeEvent instanceof globalThis.PointerEvent && nativeEvent.pointerType === 'touch';
        if (place && byFinger) onRange({ from: place, to: place });
      }}
    >
      <div
        role="rowgroup"
        style={{ width: totalWidth + NUMBERS_WIDTH, height: (rows.length + 1) * ROW_HEIGHT }}
      >
        <div role="row" aria-rowindex={1} className="sheet-letters" style={{ height: ROW_HEIGHT }}>
          <span role="columnheader" className="sheet-corner" style={{ width: NUMBERS_WIDTH }}>
            <span className="sr-only">{t.row}</span>
          </span>
          {Array.from({ length: end - start }, (_, index) => start + index).map((column) => (
            <span
              key={column}
              role="columnheader"
              aria-colindex={column + 2}
              className="sheet-letter"
              style={{ left: NUMBERS_WIDTH + edges[column]!, width: edges[column + 1]! - edges[column]! }}
            >
              {letterOf(column)}
            </span>
          ))}
        </div>
        {header !== null && view.top > header * ROW_HEIGHT && (
          <div aria-hidden className="sheet-pinned" style={{ top: ROW_HEIGHT }}>
            <div
              className="sheet-row"
              style={{ top: 0, height: ROW_HEIGHT, width: totalWidth + NUMBERS_WIDTH }}
            >
              <span className="sheet-number tabular" style={{ width: NUMBERS_WIDTH }}>
                {header + 1}
              </span>
              <SheetRow row={rows[header] ?? []} {...drawn} heads={heads} />
            </div>
          </div>
        )}
        {Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index).map((index) => (
          <div
            key={index}
            role="row"
            aria-rowindex={index + 2}
            className="sheet-row"
            style={{ top: (index + 1) * ROW_HEIGHT, height: ROW_HEIGHT, width: totalWidth + NUMBERS_WIDTH }}
          >
            <span role="rowheader" className="sheet-number tabular" style={{ width: NUMBERS_WIDTH }}>
              {index + 1}
            </span>
            <SheetRow row={rows[index] ?? []} at={index} {...drawn} {...(index === header && { heads })} />
          </div>
        ))}
      </div>
    </div>
  );
}

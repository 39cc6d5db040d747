import { useStore } from '@nanostores/react';
import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';
import type { Highlight } from '../../lib/fields.ts';
import { $highlight } from '../../lib/fields.ts';

/** The highlighted region of this file; null without one. */
export function useHighlight(itemId: number): Highlight | null {
  const lit = useStore($highlight, { ssr: 'initial' });
  return lit?.itemId === itemId ? lit : null;
}

/** Box coordinates are in tenths of a point. */
const TENTHS = 10;
/** The share of the viewport's height above the region. */
const ABOVE = 0.35;

/**
 * Scrolls the highlighted region into view, in a scroller of pages with `data-page`.
 * @param scale pixels per point; 0 until known.
 */
export function useScrollToLit(
  room: RefObject<HTMLElement | null>,
  lit: Highlight | null,
  scale: number,
): void {
  const done = useRef<Highlight | null>(null);
  useEffect(() => {
    const element = room.current;
    if (!element || !lit || scale === 0 || done.current === lit) return;
    const page = element.querySelector<HTMLElement>(`[data-page="${lit.page}"]`);
    if (!page) return;
    done.current = lit;
    const frame = element.getBoundingClientRect();
    const { left, top, width } = (page.querySelector('.page-lit') ?? page).getBoundingClientRect();
    element.scrollBy({
      top: top - frame.top - element.clientHeight * (lit.box ? ABOVE : 0),
      left: left + width / 2 - frame.left - element.clientWidth / 2,
    });
  }, [room, lit, scale]);
}

/** The CSS position of a region on a page rendered at `scale` pixels per point. */
export const litStyle = ([left, top, width, height]: NonNullable<Highlight['box']>, scale: number) => ({
  left: (left / TENTHS) * scale,
  top: (top / TENTHS) * scale,
  width: (width / TENTHS) * scale,
  height: (height / TENTHS) * scale,
});

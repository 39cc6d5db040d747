import type { RefObject } from 'react';
import { useLayoutEffect, useRef, useState } from 'react';

/** The scroller's width in pixels; 0 before the first layout. */
export function useWidth(room: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = room.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [room]);
  return width;
}

/**
 * A scroller with a vertical strip of pages, each with `data-page`: the current page, and navigation to another.
 * @param scale the pages' scale. When it changes, the content in the middle stays there, or the top if that is visible.
 */
export function usePageStrip(room: RefObject<HTMLElement | null>, scale: number) {
  const [page, setPage] = useState(1);
  const before = useRef(scale);
  useLayoutEffect(() => {
    const element = room.current;
    if (element && before.current !== scale && element.scrollTop > 0) {
      const middle = element.scrollTop + element.clientHeight / 2;
      element.scrollTo({ top: (middle * scale) / before.current - element.clientHeight / 2 });
    }
    before.current = scale;
  }, [room, scale]);

  return {
    page,
    goTo: (number: number) =>
      room.current?.querySelector(`[data-page="${number}"]`)?.scrollIntoView({ block: 'start' }),
    /** The scroll handler. */
    follow() {
      const element = room.current;
      if (!element) return;
      const middle = element.getBoundingClientRect().top + element.clientHeight / 2;
      const all = [...element.querySelectorAll<HTMLElement>('[data-page]')];
      const now = all.findLast((page) => page.getBoundingClientRect().top <= middle);
      setPage(Number(now?.dataset['page'] ?? 1));
    },
  };
}

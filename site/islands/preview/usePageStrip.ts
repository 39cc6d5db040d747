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

/** A point of a page, as shares of its width and height. */
interface Spot {
  page: Element;
  x: number;
  y: number;
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** The point in the middle of the scroller. */
function middleOf(element: HTMLElement, page: Element): Spot {
  const [room, box] = [element.getBoundingClientRect(), page.getBoundingClientRect()];
  return {
    page,
    x: clamp((room.left + element.clientWidth / 2 - box.left) / box.width),
    y: clamp((room.top + element.clientHeight / 2 - box.top) / box.height),
  };
}

/** Scrolls the point to the middle. */
function center(element: HTMLElement, { page, x, y }: Spot): void {
  const [room, box] = [element.getBoundingClientRect(), page.getBoundingClientRect()];
  element.scrollBy({
    left: box.left + box.width * x - room.left - element.clientWidth / 2,
    top: box.top + box.height * y - room.top - element.clientHeight / 2,
  });
}

/**
 * A scroller with a vertical strip of pages, each with `data-page`: the current page, and navigation to another.
 * @param scale the pages' scale. When it changes, the content in the middle stays there, or the top if that is visible.
 */
export function usePageStrip(room: RefObject<HTMLElement | null>, scale: number) {
  const [page, setPage] = useState(1);
  /** Where the middle will be on the rotated pages. */
  const middle = useRef<Spot | null>(null);
  const before = useRef(scale);
  useLayoutEffect(() => {
    const element = room.current;
    if (element && middle.current) center(element, middle.current);
    else if (element && before.current !== scale && element.scrollTop > 0) {
      const was = element.scrollTop + element.clientHeight / 2;
      element.scrollTo({ top: (was * scale) / before.current - element.clientHeight / 2 });
    }
    before.current = scale;
    middle.current = null;
  });

  const pageInMiddle = (element: HTMLElement): HTMLElement | undefined => {
    const line = element.getBoundingClientRect().top + element.clientHeight / 2;
    const all = [...element.querySelectorAll<HTMLElement>('[data-page]')];
    return all.findLast((page) => page.getBoundingClientRect().top <= line);
  };

  return {
    page,
    goTo: (number: number) =>
      room.current?.querySelector(`[data-page="${number}"]`)?.scrollIntoView({ block: 'start' }),
    /** The scroll handler. */
    follow() {
      const element = room.current;
      if (!element) return;
      setPage(Number(pageInMiddle(element)?.dataset['page'] ?? 1));
    },
    /** To be called before the pages are rotated by a quarter turn, 1 or -1, so that the middle stays then too. */
    holdMiddle(quarters: number) {
      const element = room.current;
      const now = element && element.scrollTop > 0 && pageInMiddle(element);
      if (!now) return;
      const { page, x, y } = middleOf(element, now);
      middle.current = quarters > 0 ? { page, x: 1 - y, y: x } : { page, x: y, y: 1 - x };
    },
  };
}

import type { RefObject } from 'react';
import { useEffect } from 'react';

/** Asks for more of a list before its end comes in sight: so many pixels from it. Null when there is none, or it is on its way. */
export function useInfiniteScroll(
  scroller: RefObject<HTMLElement | null>,
  more: (() => void) | null,
  ahead: number,
): void {
  useEffect(() => {
    const outer = scroller.current;
    if (!outer || !more) return undefined;
    const look = () => {
      if (outer.scrollHeight - outer.scrollTop - outer.clientHeight < ahead) more();
    };
    look();
    outer.addEventListener('scroll', look, { passive: true });
    return () => outer.removeEventListener('scroll', look);
  });
}

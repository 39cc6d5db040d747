import type { RefObject } from 'react';
import { useEffect } from 'react';

/** Calls `loadMore` when the scroller is within `thresholdPx` of its end. `loadMore` is null at the end and while loading. */
export function useInfiniteScroll(
  scroller: RefObject<HTMLElement | null>,
  loadMore: (() => void) | null,
  thresholdPx: number,
): void {
  useEffect(() => {
    const outer = scroller.current;
    if (!outer || !loadMore) return undefined;
    const check = () => {
      if (outer.scrollHeight - outer.scrollTop - outer.clientHeight < thresholdPx) loadMore();
    };
    check();
    outer.addEventListener('scroll', check, { passive: true });
    return () => outer.removeEventListener('scroll', check);
  });
}

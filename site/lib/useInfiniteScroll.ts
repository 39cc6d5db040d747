import type { RefObject } from 'react';
import { useEffect } from 'react';

/**
 * Calls `loadMore` when the scroller is within `thresholdPx` of its end. `loadMore` is null at the end, while loading and
 * after a failure: it is called again after every render, so that a failing server would get one request after the other.
 * A scroll may call it twice before the next render, so that it must not cancel a request that it has just sent.
 */
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

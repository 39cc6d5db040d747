import type { RefObject } from 'react';
import { useCallback, useEffect, useRef } from 'react';
import { saveListScroll, savedListScroll } from '../../lib/browserHistory.ts';

const USER_SCROLLS = ['wheel', 'pointerdown', 'keydown'] as const;

/**
 * Restores the scroll position of a list after Back or Forward.
 * @param length the number of loaded rows; the position is reached once enough pages are loaded.
 */
export function useScrollRestoration(scroller: RefObject<HTMLElement | null>, length: number): void {
  const target = useRef(0);
  const reach = useCallback(() => {
    const outer = scroller.current;
    if (!outer || target.current === 0) return;
    const wanted = target.current;
    outer.scrollTo({ top: wanted });
    if (outer.scrollTop >= wanted - 1) target.current = 0;
  }, [scroller]);

  useEffect(() => {
    const outer = scroller.current;
    if (!outer) return undefined;
    const { pathname } = location;
    target.current = savedListScroll();
    const abandon = () => void (target.current = 0);
    // Rendering rows at this position may lengthen the list.
    const again = () => void (target.current > 0 && requestAnimationFrame(reach));
    const remember = () => {
      // During a navigation the history entry may already be that of another page.
      if (target.current > 0 || location.pathname !== pathname) return;
      saveListScroll(outer.scrollTop);
    };
    outer.addEventListener('scroll', again, { passive: true });
    outer.addEventListener('scrollend', remember);
    for (const type of USER_SCROLLS) outer.addEventListener(type, abandon, { passive: true });
    return () => {
      outer.removeEventListener('scroll', again);
      outer.removeEventListener('scrollend', remember);
      for (const type of USER_SCROLLS) outer.removeEventListener(type, abandon);
    };
  }, [scroller, reach]);
  useEffect(reach, [reach, length]);
}

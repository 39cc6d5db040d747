import type { RefObject } from 'react';
import { useCallback, useEffect, useRef } from 'react';
import { saveListScroll, savedListScroll } from '../../lib/browserHistory.ts';

const HANDS = ['wheel', 'pointerdown', 'keydown'] as const;

/**
 * Brings a list back to where it was when Back or Forward leads to it.
 * @param length of the list so far: what lies further down comes in pages.
 */
export function useScroll(scroller: RefObject<HTMLElement | null>, length: number): void {
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
    // What is drawn at this height may make the list longer.
    const again = () => void (target.current > 0 && requestAnimationFrame(reach));
    const remember = () => {
      // The entry may be another one already, while this page is still there.
      if (target.current > 0 || location.pathname !== pathname) return;
      saveListScroll(outer.scrollTop);
    };
    outer.addEventListener('scroll', again, { passive: true });
    outer.addEventListener('scrollend', remember);
    for (const hand of HANDS) outer.addEventListener(hand, abandon, { passive: true });
    return () => {
      outer.removeEventListener('scroll', again);
      outer.removeEventListener('scrollend', remember);
      for (const hand of HANDS) outer.removeEventListener(hand, abandon);
    };
  }, [scroller, reach]);
  useEffect(reach, [reach, length]);
}

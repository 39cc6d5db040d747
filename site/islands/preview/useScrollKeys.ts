import type { RefObject } from 'react';
import { useDocumentEvent } from '../../lib/useDocumentEvent.ts';

/** The scroll distance of a key in pixels, for a viewport of `height`; null for any other key. */
function scrollDistance({ key, shiftKey }: KeyboardEvent, height: number): number | null {
  if (key === 'ArrowDown' || key === 'ArrowUp') return key === 'ArrowDown' ? 40 : -40;
  if (key === 'PageDown' || key === 'PageUp') return (key === 'PageDown' ? 0.9 : -0.9) * height;
  if (key === ' ') return (shiftKey ? -0.9 : 0.9) * height;
  if (key === 'Home' || key === 'End') return key === 'End' ? 1e7 : -1e7;
  return null;
}

/** Lets keys scroll what a preview shows right after it has opened, without a click or Tab into `shown`. */
export function useScrollKeys(
  shown: RefObject<HTMLElement | null>,
  scrollBy: (element: HTMLElement, pixels: number) => void,
): void {
  useDocumentEvent('keydown', (event) => {
    const { target } = event;
    const element = shown.current;
    if (!element || event.altKey || event.ctrlKey || event.metaKey) return;
    const isLayer =
      target instanceof Element && target.matches('[tabindex="-1"]') && target.contains(element);
    const pixels = scrollDistance(event, element.clientHeight);
    if (!isLayer || pixels === null) return;
    event.preventDefault();
    scrollBy(element, pixels);
  });
}

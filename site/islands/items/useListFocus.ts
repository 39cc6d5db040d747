import { useEffect, useRef } from 'react';
import { restoreFocus } from '../../lib/keptFocus.ts';
import { isOverlayOpen } from '../../lib/overlay.ts';
import { hasTouch } from '../../lib/touch.ts';

/** Focuses the list, or without one the place where it was; the ring stays hidden until a key is pressed. */
function focusList(): null {
  // Touch needs no focus.
  if (hasTouch() || isOverlayOpen()) return null;
  const grid = document.querySelector<HTMLElement>('.item-grid');
  if (grid) grid.dataset['quiet'] = '';
  (grid ?? document.querySelector<HTMLElement>('#list'))?.focus({ preventScroll: true });
  return null;
}

/** Keeps the focus in the list when the focused control is gone: with its row, or when a dialog closes whose item is gone. */
export function useListFocus(count: number, dialog: object | null): void {
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current) restoreFocus(focusList);
    before.current = count;
  }, [count]);
  useEffect(() => (dialog ? () => restoreFocus(focusList) : undefined), [dialog]);
}

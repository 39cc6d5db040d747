import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';
import { toggleDetails } from '../../lib/detailsPanel.ts';
import { useItemList } from './ItemListModel.ts';
import { jump, NO_WORD, type as typed, TYPEAHEAD_PAUSE_MS } from './typeahead.ts';
import type { Viewport } from '../../lib/virtualRows.ts';
import { scrollTopFor, nextIndex } from '../../lib/virtualRows.ts';

/** Milliseconds without another letter after which `i` toggles the details, instead of starting a typeahead word. */
const DETAILS_KEY_MS = 350;

interface Deps {
  scroller: RefObject<HTMLElement | null>;
  measure: () => Viewport | null;
  /** Height in pixels of the sticky header, under which rows scroll. */
  headerHeight: () => number;
}

/** A keyboard event of React or the DOM. */
type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'timeStamp' | 'preventDefault'
>;

/** Cancels the pending `i`. @returns whether one was pending. */
function cancelDetailsKey(timer: { current: ReturnType<typeof setTimeout> | null }): boolean {
  const wasPending = timer.current !== null;
  if (timer.current !== null) clearTimeout(timer.current);
  timer.current = null;
  return wasPending;
}

/** The list's keys: arrows, Space, Enter, letters. Shortcuts of the whole screen are in useItemShortcuts. */
export function useGridKeys({ scroller, measure, headerHeight }: Deps) {
  const { rows, selection, send, open, hasDetails } = useItemList();
  const word = useRef(NO_WORD);
  const detailsKeyTimer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => void cancelDetailsKey(detailsKeyTimer), []);
  const { order, items, byId } = rows;

  const reveal = (index: number) => {
    const viewport = measure();
    const outer = scroller.current;
    if (!viewport || !outer) return;
    const to = scrollTopFor(index, viewport, headerHeight());
    if (to !== null) outer.scrollBy({ top: to - viewport.scrolled });
  };
  const focusIndex = () => (selection.focus === null ? -1 : order.indexOf(selection.focus));

  /** @param ringHidden the focus ring was hidden when the key was pressed. */
  function onKeyDown(event: KeyPress, ringHidden = false) {
    if (event.altKey) return;
    const modifier = event.ctrlKey || event.metaKey;
    if (cancelDetailsKey(detailsKeyTimer) && (modifier || event.key.length > 1)) toggleDetails();
    // Any key other than a letter ends the typeahead word.
    if (modifier || (event.key.length > 1 && event.key !== 'Shift')) word.current = NO_WORD;
    const viewport = measure();
    // The list took the focus by itself: the first arrow leads to the first row, not past it.
    const index = ringHidden && focusIndex() === 0 ? -1 : focusIndex();
    const to =
      viewport && !(modifier && event.key.length === 1)
        ? nextIndex(event.key, index, order.length, viewport)
        : null;
    const target = to === null ? undefined : order[to];
    if (to !== null && target !== undefined) {
      event.preventDefault();
      if (event.shiftKey) send({ type: 'extend', id: target, order, keep: true });
      else send({ type: 'focus', id: target });
      reveal(to);
      return;
    }
    const focused = selection.focus === null ? undefined : byId.get(selection.focus);
    // Handled here as well as in useItemShortcuts, since an archive's list is in a dialog.
    if (modifier && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      send({ type: 'all', order });
    } else if (
      event.key === ' ' &&
      word.current.text !== '' &&
      event.timeStamp - word.current.at < TYPEAHEAD_PAUSE_MS
    ) {
      event.preventDefault();
      jumpBy(' ', event.timeStamp);
    } else if (event.key === ' ' && focused) {
      event.preventDefault();
      if (event.shiftKey) send({ type: 'extend', id: focused.id, order, keep: true });
      else send({ type: 'toggle', id: focused.id });
    } else if (event.key === 'Enter' && focused) {
      event.preventDefault();
      open(focused);
    } else if (!modifier && [...event.key].length === 1 && /[\p{L}\p{N}_\-.()]/u.test(event.key)) {
      const begins = event.timeStamp - word.current.at > TYPEAHEAD_PAUSE_MS;
      if (hasDetails && event.key === 'i' && begins) {
        // The screen's own `i` would toggle immediately.
        event.preventDefault();
        word.current = typed(word.current, 'i', event.timeStamp);
        detailsKeyTimer.current = setTimeout(() => {
          detailsKeyTimer.current = null;
          word.current = NO_WORD;
          toggleDetails();
        }, DETAILS_KEY_MS);
      } else jumpBy(event.key, event.timeStamp);
    }
  }

  function jumpBy(key: string, now: number) {
    word.current = typed(word.current, key, now);
    const to = jump(
      items.map((item) => item.name),
      word.current.text,
      focusIndex(),
    );
    const id = order[to];
    if (id === undefined) return;
    send({ type: 'focus', id });
    reveal(to);
  }

  return { onKeyDown, reveal };
}

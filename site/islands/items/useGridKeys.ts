import type { RefObject } from 'react';
import { useEffect, useRef } from 'react';
import { toggleDetails } from '../../lib/detailsPanel.ts';
import { useItemList } from './ItemListModel.ts';
import { jump, NO_WORD, type as typed, TYPEAHEAD_PAUSE } from './typeahead.ts';
import type { Viewport } from '../../lib/virtualRows.ts';
import { scrollTopFor, nextIndex } from '../../lib/virtualRows.ts';

/** Milliseconds after which an `i` alone asks for the details, and begins no name any more. */
const ALONE_MS = 350;

interface Deps {
  scroller: RefObject<HTMLElement | null>;
  measure: () => Viewport | null;
  /** Pixels of the sticky header, which rows scroll under. */
  headerHeight: () => number;
}

/** A key that was pressed, as React or the document tells it. */
type Pressed = Pick<
  KeyboardEvent,
  'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'timeStamp' | 'preventDefault'
>;

/** An `i` that waits for a letter to follow waits no longer. @returns whether one did. */
function followed(alone: { current: ReturnType<typeof setTimeout> | null }): boolean {
  const waited = alone.current !== null;
  if (alone.current !== null) clearTimeout(alone.current);
  alone.current = null;
  return waited;
}

/** The list's keys: arrows, Space, Enter, letters. Commands for the whole screen are in useShortcuts. */
export function useGridKeys({ scroller, measure, headerHeight }: Deps) {
  const { rows, selection, send, open, hasDetails } = useItemList();
  const word = useRef(NO_WORD);
  const alone = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(() => () => void followed(alone), []);
  const { order, items, byId } = rows;

  const reveal = (index: number) => {
    const viewport = measure();
    const outer = scroller.current;
    if (!viewport || !outer) return;
    const to = scrollTopFor(index, viewport, headerHeight());
    if (to !== null) outer.scrollBy({ top: to - viewport.scrolled });
  };
  const at = () => (selection.focus === null ? -1 : order.indexOf(selection.focus));

  /** @param unseen nothing has shown yet on which row the keyboard is. */
  function onKeyDown(event: Pressed, unseen = false) {
    if (event.altKey) return;
    const modifier = event.ctrlKey || event.metaKey;
    if (followed(alone) && (modifier || event.key.length > 1)) toggleDetails();
    // Whatever is no letter ends the word.
    if (modifier || (event.key.length > 1 && event.key !== 'Shift')) word.current = NO_WORD;
    const viewport = measure();
    // The list took the keyboard by itself: the first arrow goes to the first row, not past it.
    const index = unseen && at() === 0 ? -1 : at();
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
    // Said here as well as for the whole screen, since the list of an archive lies in a dialog.
    if (modifier && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      send({ type: 'all', order });
    } else if (event.key === ' ' && word.current.text !== '' && event.timeStamp - word.current.at < 700) {
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
      const begins = event.timeStamp - word.current.at > TYPEAHEAD_PAUSE;
      if (hasDetails && event.key === 'i' && begins) {
        // The screen's own `i` would not wait.
        event.preventDefault();
        word.current = typed(word.current, 'i', event.timeStamp);
        alone.current = setTimeout(() => {
          alone.current = null;
          word.current = NO_WORD;
          toggleDetails();
        }, ALONE_MS);
      } else jumpBy(event.key, event.timeStamp);
    }
  }

  function jumpBy(key: string, now: number) {
    word.current = typed(word.current, key, now);
    const to = jump(
      items.map((item) => item.name),
      word.current.text,
      at(),
    );
    const id = order[to];
    if (id === undefined) return;
    send({ type: 'focus', id });
    reveal(to);
  }

  return { onKeyDown, reveal };
}

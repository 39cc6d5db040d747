import type { DragEvent, MouseEvent, PointerEvent } from 'react';
import { useRef } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { useItemList } from './ItemListModel.ts';

const LONG_PRESS_MS = 450;
/** A finger that moved further is scrolling. */
const SLOP_PX = 10;

interface Press {
  timer: ReturnType<typeof setTimeout>;
  x: number;
  y: number;
}

/** What was hit: an item, and the part of it. */
function hit(event: { target: EventTarget }): { id: number; part: 'open' | 'menu' | 'check' | null } | null {
  const element = event.target instanceof Element ? event.target : null;
  const entry = element?.closest<HTMLElement>('[data-id]');
  if (!element || !entry) return null;
  const part = element.closest('[data-open]') ? 'open' : element.closest('[data-menu]') ? 'menu' : null;
  return {
    id: Number(entry.dataset['id']),
    part: part ?? (element.closest('[data-check]') ? 'check' : null),
  };
}

/**
 * Clicks and touches on the listing, heard in one place for all its rows. With a mouse a click on a row selects, on its
 * name opens; with a finger a tap opens and a long press selects, after which taps select.
 */
export function useEntryEvents(openMenu: (item: ItemView, x: number, y: number) => void) {
  const { rows, send, selection, selecting, setSelecting, open } = useItemList();
  const press = useRef<Press | null>(null);
  const touched = useRef(false);
  const pressed = useRef(false);

  const stopPress = () => {
    if (press.current) clearTimeout(press.current.timer);
    press.current = null;
  };
  const selectByTouch = (id: number) => {
    pressed.current = true;
    setSelecting(true);
    send({ type: 'toggle', id });
    navigator.vibrate?.(10);
  };

  function choose(id: number, event: MouseEvent, additive: boolean) {
    if (event.shiftKey)
      send({ type: 'extend', id, order: rows.order, keep: additive || event.ctrlKey || event.metaKey });
    else if (additive || event.ctrlKey || event.metaKey) send({ type: 'toggle', id });
    else send({ type: 'only', id });
  }

  return {
    onPointerDown(event: PointerEvent) {
      touched.current = event.pointerType === 'touch';
      pressed.current = false;
      const found = hit(event);
      if (!touched.current || !found || found.part === 'menu') return;
      const { clientX: x, clientY: y } = event;
      stopPress();
      press.current = { x, y, timer: setTimeout(() => selectByTouch(found.id), LONG_PRESS_MS) };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const from = press.current;
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > SLOP_PX) stopPress();
    },
    // A finger that holds on selects.
    onDragStart: (event: DragEvent) => touched.current && event.preventDefault(),
    onPointerUp: stopPress,
    onPointerCancel: stopPress,

    onClick(event: MouseEvent) {
      const found = hit(event);
      const item = found && rows.byId.get(found.id);
      if (!found || !item) return;
      const modified = event.shiftKey || event.ctrlKey || event.metaKey;
      if (found.part === 'open') event.preventDefault();
      // The tap that ends a long press has done its work.
      if (pressed.current) return;
      if (found.part === 'menu') {
        const box = (event.target as Element).closest('[data-menu]')?.getBoundingClientRect();
        openMenu(item, box?.left ?? event.clientX, box?.bottom ?? event.clientY);
      } else if (found.part === 'check') choose(item.id, event, true);
      else if (touched.current) {
        if (selecting || selection.selected.size > 0) send({ type: 'toggle', id: item.id });
        else open(item);
      } else if (selecting) choose(item.id, event, true);
      else if (found.part === 'open' && !modified) open(item);
      else choose(item.id, event, false);
    },

    onDoubleClick(event: MouseEvent) {
      const found = hit(event);
      const item = found && rows.byId.get(found.id);
      if (!item || found.part !== null || touched.current || selecting) return;
      open(item);
    },
  };
}

import type { DragEvent, MouseEvent, PointerEvent } from 'react';
import { useRef } from 'react';
import type { ItemView } from '#server/documents/contract.ts';
import { useItemList } from './ItemListModel.ts';

const LONG_PRESS_MS = 450;
/** A finger that moves further is scrolling. */
const SLOP_PX = 10;

interface Press {
  timer: ReturnType<typeof setTimeout>;
  x: number;
  y: number;
}

/** The item, and the part of its row, under the pointer. */
function hitTest(event: {
  target: EventTarget;
}): { id: number; part: 'open' | 'menu' | 'check' | null } | null {
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
 * Mouse and touch handling of a list, delegated for all rows. A mouse click on a row selects, on its name opens. On touch
 * screens a tap opens and a long press selects, after which taps select.
 */
export function useEntryEvents(openMenu: (item: ItemView, x: number, y: number) => void) {
  const { rows, send, selection, selecting, setSelecting, open } = useItemList();
  const press = useRef<Press | null>(null);
  const isTouch = useRef(false);
  const wasLongPress = useRef(false);

  const stopPress = () => {
    if (press.current) clearTimeout(press.current.timer);
    press.current = null;
  };
  const selectByTouch = (id: number) => {
    wasLongPress.current = true;
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
      isTouch.current = event.pointerType === 'touch';
      wasLongPress.current = false;
      const target = hitTest(event);
      if (!isTouch.current || !target || target.part === 'menu') return;
      const { clientX: x, clientY: y } = event;
      stopPress();
      press.current = { x, y, timer: setTimeout(() => selectByTouch(target.id), LONG_PRESS_MS) };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const from = press.current;
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > SLOP_PX) stopPress();
    },
    // On touch screens a long press selects and must not start a drag.
    onDragStart: (event: DragEvent) => isTouch.current && event.preventDefault(),
    onPointerUp: stopPress,
    onPointerCancel: stopPress,

    onClick(event: MouseEvent<HTMLElement>) {
      const target = hitTest(event);
      const item = target && rows.byId.get(target.id);
      if (!target || !item) return;
      const modified = event.shiftKey || event.ctrlKey || event.metaKey;
      if (target.part === 'open') event.preventDefault();
      // This click ends a long press, which has already selected.
      if (wasLongPress.current) return;
      if (target.part === 'menu') {
        const box = (event.target as Element).closest('[data-menu]')?.getBoundingClientRect();
        openMenu(item, box?.left ?? event.clientX, box?.bottom ?? event.clientY);
      } else if (target.part === 'check') choose(item.id, event, true);
      else if (isTouch.current) {
        if (selecting || selection.selected.size > 0) send({ type: 'toggle', id: item.id });
        else open(item);
      } else if (selecting) choose(item.id, event, true);
      else if (target.part === 'open' && !modified) {
        // So that keys go on from there once the preview is closed, to which the focus returns.
        send({ type: 'focus', id: item.id });
        event.currentTarget.focus({ preventScroll: true });
        open(item);
      } else choose(item.id, event, false);
    },

    onDoubleClick(event: MouseEvent) {
      const target = hitTest(event);
      const item = target && rows.byId.get(target.id);
      if (!item || target.part !== null || isTouch.current || selecting) return;
      open(item);
    },
  };
}

import type { KeyboardEvent, MouseEvent, PointerEvent } from 'react';
import { useRef, useState } from 'react';

const LONG_PRESS_MS = 500;
/** A finger that moved further is scrolling. */
const SLOP_PX = 10;

export interface OpenAt<T> {
  x: number;
  y: number;
  target: T;
}

export interface ContextMenuOptions<T> {
  /** What the menu is about, found from the element the event came from; undefined opens nothing. */
  targetOf: (element: Element) => T | undefined;
  /** Off where a long press means something else, as in a list where it selects. */
  longPress?: boolean;
}

/**
 * Right click, long press, Shift+F10 and the menu key, on one element for all that is in it. Spread `props` on that
 * element and hand `opened` and `close` to ContextMenu.
 */
export function useContextMenu<T>({ targetOf, longPress = true }: ContextMenuOptions<T>) {
  const [opened, setOpened] = useState<OpenAt<T> | null>(null);
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);

  const open = (element: Element, x: number, y: number): boolean => {
    const target = targetOf(element);
    if (target === undefined) return false;
    setOpened({ x, y, target });
    return true;
  };
  const stopPress = () => {
    if (press.current) clearTimeout(press.current.timer);
    press.current = null;
  };

  const props = {
    onContextMenu(event: MouseEvent) {
      stopPress();
      if (open(event.target as Element, event.clientX, event.clientY)) event.preventDefault();
    },
    onKeyDown(event: KeyboardEvent) {
      if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return;
      const box = (event.target as Element).getBoundingClientRect();
      const x = box.left + Math.min(32, box.width / 2);
      if (open(event.target as Element, x, box.top + Math.min(32, box.height))) event.preventDefault();
    },
    // Only iOS needs the timer: elsewhere a long press sends `contextmenu` by itself.
    onPointerDown(event: PointerEvent) {
      if (!longPress || event.pointerType !== 'touch') return;
      const { target, clientX: x, clientY: y } = event;
      stopPress();
      press.current = { x, y, timer: setTimeout(() => open(target as Element, x, y), LONG_PRESS_MS) };
    },
    onPointerMove({ clientX, clientY }: PointerEvent) {
      const from = press.current;
      if (from && Math.hypot(clientX - from.x, clientY - from.y) > SLOP_PX) stopPress();
    },
    onPointerUp: stopPress,
    onPointerCancel: stopPress,
  };

  return { props, opened, close: () => setOpened(null) };
}

import type { MouseEvent, PointerEvent } from 'react';
import { useRef } from 'react';
import type { Point, Pose } from './zoom.ts';
import { follow, toggleZoom } from './zoom.ts';

/** Maximum milliseconds between the taps of a double tap, and maximum distance in pixels. */
const DOUBLE_TAP = 300;
const SLIP = 24;

interface Tap extends Point {
  /** The event's timestamp, in milliseconds. */
  at: number;
}

const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/**
 * Pan and zoom by mouse, pen or fingers: one pointer pans, two pointers zoom around their midpoint, and a double click or
 * double tap zooms to its point, or back. Points are relative to the element's centre.
 */
export function useGestures(change: (next: (now: Pose) => Pose) => void) {
  const pointers = useRef(new Map<number, Point>());
  const down = useRef<Tap | null>(null);
  const tapped = useRef<Tap | null>(null);
  const byFinger = useRef(false);

  const pointOf = ({ currentTarget, clientX, clientY }: MouseEvent): Point => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  };

  function release(event: PointerEvent) {
    pointers.current.delete(event.pointerId);
  }

  return {
    onPointerDown(event: PointerEvent) {
      const point = pointOf(event);
      event.currentTarget.setPointerCapture(event.pointerId);
      byFinger.current = event.pointerType === 'touch';
      pointers.current.set(event.pointerId, point);
      // A second finger cancels the tap.
      down.current = pointers.current.size === 1 ? { ...point, at: event.timeStamp } : null;
    },

    onPointerMove(event: PointerEvent) {
      if (!pointers.current.has(event.pointerId)) return;
      const before = [...pointers.current.values()];
      pointers.current.set(event.pointerId, pointOf(event));
      const after = [...pointers.current.values()];
      change((now) => follow(now, before, after));
    },

    onPointerUp(event: PointerEvent) {
      const start = down.current;
      const point = { ...pointOf(event), at: event.timeStamp };
      release(event);
      down.current = null;
      if (!byFinger.current) return;
      const last = tapped.current;
      const isTap = start !== null && point.at - start.at < DOUBLE_TAP && apart(start, point) < SLIP;
      const isSecond = isTap && last !== null && point.at - last.at < DOUBLE_TAP && apart(last, point) < SLIP;
      tapped.current = isTap && !isSecond ? point : null;
      if (isSecond) change((now) => toggleZoom(now, point));
    },

    onPointerCancel: release,

    onDoubleClick(event: MouseEvent) {
      const point = pointOf(event);
      // Not every browser fires `dblclick` for two taps, so taps are counted above.
      if (!byFinger.current) change((now) => toggleZoom(now, point));
    },
  };
}

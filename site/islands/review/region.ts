import type { Box } from '#server/recognition/contract.ts';

/** A part of a page in points, with the scale in CSS pixels per point. */
export interface Region {
  left: number;
  top: number;
  width: number;
  height: number;
  scale: number;
}
interface Size {
  width: number;
  height: number;
}

/** The margin around a value in points: its label stands before it, or above it. */
const MARGIN = { before: 320, after: 60, y: 40 };
const MAX_SCALE = 2.2;

/** The start of a range of `size`, moved so that the range is within `total`. */
const clampStart = (start: number, size: number, total: number): number =>
  Math.max(0, Math.min(start, total - size));

/**
 * The region of a page to show for a value, with what stands before it where the page's edges allow, as large as fits `room`.
 * @param box in tenths of a point; null shows the upper part of the page.
 */
export function regionOf(box: Box | null, page: Size, room: Size): Region {
  const ratio = room.height / room.width;
  if (!box) {
    const height = Math.min(page.height, page.width * ratio);
    return { left: 0, top: 0, width: page.width, height, scale: room.width / page.width };
  }
  const [left, top, width, height] = box.map((tenths) => tenths / 10) as unknown as Box;
  const regionWidth = Math.max(
    width + MARGIN.before + MARGIN.after,
    (height + 2 * MARGIN.y) / ratio,
    room.width / MAX_SCALE,
  );
  const shownWidth = Math.min(regionWidth, page.width);
  const shown = { width: shownWidth, height: Math.min(shownWidth * ratio, page.height) };
  return {
    left: clampStart(left + width + MARGIN.after - shown.width, shown.width, page.width),
    top: clampStart(top + height / 2 - shown.height / 2, shown.height, page.height),
    ...shown,
    scale: Math.min(room.width / shown.width, room.height / shown.height),
  };
}

import type { Box } from '#server/recognition/contract.ts';

/** A part of a page in points, and how many pixels are shown for each. */
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

/** Points that are shown around a value, so that its label is seen too. */
const AROUND = { x: 190, y: 40 };
const LARGEST = 2.2;

const within = (wanted: number, size: number, whole: number): number =>
  Math.max(0, Math.min(wanted, whole - size));

/**
 * What is shown of a page for a place on it: the place in the middle, as far as the page goes, as large as the room allows.
 * @param box in tenths of a point; null shows the upper part of the page.
 */
export function regionOf(box: Box | null, page: Size, room: Size): Region {
  const ratio = room.height / room.width;
  if (!box) {
    const height = Math.min(page.height, page.width * ratio);
    return { left: 0, top: 0, width: page.width, height, scale: room.width / page.width };
  }
  const [left, top, width, height] = box.map((tenths) => tenths / 10) as unknown as Box;
  const least = Math.max(width + 2 * AROUND.x, (height + 2 * AROUND.y) / ratio, room.width / LARGEST);
  const most = Math.min(least, page.width);
  const shown = { width: most, height: Math.min(most * ratio, page.height) };
  return {
    left: within(left + width / 2 - shown.width / 2, shown.width, page.width),
    top: within(top + height / 2 - shown.height / 2, shown.height, page.height),
    ...shown,
    scale: Math.min(room.width / shown.width, room.height / shown.height),
  };
}

export const ZOOM_MIN = 0.25;
export const ZOOM_MAX = 3;
const ZOOM_STEP = 0.25;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The view of a picture. Zoom 1 fits the viewport; `x` and `y` are the centre's offset in screen pixels. */
export interface Pose extends Point {
  readonly zoom: number;
  /** Degrees, clockwise: 0, 90, 180 or 270. */
  readonly rotation: number;
}

export const UPRIGHT: Pose = { zoom: 1, rotation: 0, x: 0, y: 0 };

const clampZoom = (zoom: number): number => Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom));

/** The next zoom step, up or down. */
export const stepZoom = (zoom: number, by: number): number =>
  clampZoom((by > 0 ? Math.floor : Math.ceil)(zoom / ZOOM_STEP + by * 1.001) * ZOOM_STEP);

const MIDDLE: Point = { x: 0, y: 0 };

/** Zooms around the point, which is relative to the centre. */
function zoomTo(pose: Pose, scale: number, point: Point): Pose {
  const zoom = clampZoom(scale);
  const ratio = zoom / pose.zoom;
  return { ...pose, zoom, x: point.x - (point.x - pose.x) * ratio, y: point.y - (point.y - pose.y) * ratio };
}

/** Zooms by a number of steps; negative zooms out. */
export const zoomBy = (pose: Pose, steps: number, point = MIDDLE): Pose =>
  zoomTo(pose, Math.round((pose.zoom + steps * ZOOM_STEP) / ZOOM_STEP) * ZOOM_STEP, point);

/** Zooms to double size at a point, or from any other size back to fit. */
export const toggleZoom = (pose: Pose, point: Point): Pose =>
  pose.zoom === 1 ? zoomTo(pose, 2, point) : { ...pose, zoom: 1, ...MIDDLE };

const between = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

/** Follows one or two moved pointers: pans with them, and zooms as two move apart. */
export function follow(pose: Pose, before: readonly Point[], after: readonly Point[]): Pose {
  const [from, otherFrom = from] = before;
  const [to, otherTo = to] = after;
  if (!from || !to || !otherFrom || !otherTo) return pose;
  const [was, is] = [between(from, otherFrom), between(to, otherTo)];
  const moved = { ...pose, x: pose.x + is.x - was.x, y: pose.y + is.y - was.y };
  const [span, next] = [distance(from, otherFrom), distance(to, otherTo)];
  return span > 0 && next > 0 ? zoomTo(moved, (pose.zoom * next) / span, is) : moved;
}

/** A rotation after quarter turns, clockwise; negative ones are anticlockwise. */
export const rotateBy = (rotation: number, quarters: number): number =>
  (((rotation + quarters * 90) % 360) + 360) % 360;

/** Whether the rotation swaps width and height. */
export const isSideways = (rotation: number): boolean => rotation % 180 !== 0;

export const rotate = (pose: Pose, quarters: number): Pose => ({
  ...pose,
  rotation: rotateBy(pose.rotation, quarters),
  x: 0,
  y: 0,
});

interface Size {
  width: number;
  height: number;
}

/** Pans within limits: the picture stays in view, and completely if it is smaller than the viewport. */
export function keepInSight(pose: Pose, picture: Size, room: Size): Pose {
  const sideways = isSideways(pose.rotation);
  const width = (sideways ? picture.height : picture.width) * pose.zoom;
  const height = (sideways ? picture.width : picture.height) * pose.zoom;
  const maxOffset = (size: number, space: number) => Math.abs(size - space) / 2;
  const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value));
  return {
    ...pose,
    x: clamp(pose.x, maxOffset(width, room.width)),
    y: clamp(pose.y, maxOffset(height, room.height)),
  };
}

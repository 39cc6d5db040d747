export const ZOOM_MIN = 0.25;
export const ZOOM_MAX = 3;
export const ZOOM_STEP = 0.25;

/** How a picture is seen. 1 is as large as fits; `x` and `y` move its middle, in pixels of the screen. */
export interface Pose {
  readonly zoom: number;
  /** Degrees, clockwise: 0, 90, 180 or 270. */
  readonly rotation: number;
  readonly x: number;
  readonly y: number;
}

export const UPRIGHT: Pose = { zoom: 1, rotation: 0, x: 0, y: 0 };

export const clampZoom = (zoom: number): number => Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, zoom));

/** One step nearer (1) or further (-1), with the point under the pointer staying where it is. `at` is measured from the middle. */
export function zoomBy(pose: Pose, steps: number, at = { x: 0, y: 0 }): Pose {
  const zoom = clampZoom(Math.round((pose.zoom + steps * ZOOM_STEP) / ZOOM_STEP) * ZOOM_STEP);
  const ratio = zoom / pose.zoom;
  return { ...pose, zoom, x: at.x - (at.x - pose.x) * ratio, y: at.y - (at.y - pose.y) * ratio };
}

export const rotate = (pose: Pose, quarters: number): Pose => ({
  ...pose,
  rotation: (((pose.rotation + quarters * 90) % 360) + 360) % 360,
  x: 0,
  y: 0,
});

interface Size {
  width: number;
  height: number;
}

/** Moved by a drag, and never out of sight: a picture smaller than the room stays whole in it. */
export function keepInSight(pose: Pose, picture: Size, room: Size): Pose {
  const turned = pose.rotation % 180 !== 0;
  const width = (turned ? picture.height : picture.width) * pose.zoom;
  const height = (turned ? picture.width : picture.height) * pose.zoom;
  const most = (size: number, space: number) => Math.abs(size - space) / 2;
  const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value));
  return { ...pose, x: clamp(pose.x, most(width, room.width)), y: clamp(pose.y, most(height, room.height)) };
}

import type * as OnnxRuntime from 'onnxruntime-node';
import type { InferenceSession } from 'onnxruntime-node';
import type { Raster } from './raster.ts';
import { shadeAt } from './raster.ts';

/** Where a line of text stands: a band that may lean and bend with the paper. In pixels of the picture. */
export interface Line {
  left: number;
  right: number;
  /** The middle of the band at a place: `a + b·x + c·x²`, with x from the left end. */
  curve: readonly [a: number, b: number, c: number];
  height: number;
}

/** What the network finds in a picture. */
export interface Detected {
  lines: Line[];
  /** Which part of what looks like writing runs in long lines across, from 0 to 1: of a page that lies on its side, little. */
  across: number;
  /** The lean of the lines, clockwise, in radians. */
  lean: number;
}

const GRID = 32;
const [INK, SURE] = [0.3, 0.5];
/** The network marks the core of a line only; so much of the core's height is added on each side. */
const BEYOND = 0.72;
const [AREA_MIN, THIN] = [12, 2];

/** What the network was taught on: mean and spread of red, green and blue. */
const MEANS = [0.485, 0.456, 0.406];
const SPREADS = [0.229, 0.224, 0.225];

function inputOf(raster: Raster, side: number): { data: Float32Array; width: number; height: number } {
  const scale = Math.min(1.5, side / Math.max(raster.width, raster.height));
  const onGrid = (length: number) => Math.max(GRID, Math.round((length * scale) / GRID) * GRID);
  const [width, height] = [onGrid(raster.width), onGrid(raster.height)];
  const [stepX, stepY] = [raster.width / width, raster.height / height];
  const area = width * height;
  const data = new Float32Array(area * 3);
  // Of a large picture several pixels make one.
  const [nx, ny] = [Math.max(1, Math.round(stepX)), Math.max(1, Math.round(stepY))];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let j = 0; j < ny; j += 1)
        for (let i = 0; i < nx; i += 1)
          sum += shadeAt(raster, (x + (i + 0.5) / nx) * stepX - 0.5, (y + (j + 0.5) / ny) * stepY - 0.5);
      const shade = sum / (nx * ny * 255);
      for (let colour = 0; colour < 3; colour += 1)
        data[colour * area + y * width + x] = (shade - MEANS[colour]!) / SPREADS[colour]!;
    }
  return { data, width, height };
}

interface Blob {
  left: number;
  right: number;
  top: number;
  bottom: number;
  area: number;
  score: number;
  /** Of each column from `left` on: the first and the last row. */
  columns: [top: number, bottom: number][];
}

/** What hangs together in the map. */
function blobsIn(map: Float32Array, width: number, height: number): Blob[] {
  const seen = new Uint8Array(width * height);
  const found: Blob[] = [];
  const stack: number[] = [];
  for (let start = 0; start < map.length; start += 1) {
    if (seen[start] || map[start]! < INK) continue;
    let [left, right, top, bottom, score] = [width, 0, height, 0, 0];
    const cells: number[] = [];
    seen[start] = 1;
    stack.push(start);
    while (stack.length > 0) {
      const at = stack.pop()!;
      cells.push(at);
      score += map[at]!;
      const [x, y] = [at % width, (at / width) | 0];
      [left, right, top, bottom] = [
        Math.min(left, x),
        Math.max(right, x),
        Math.min(top, y),
        Math.max(bottom, y),
      ];
      for (let dy = -1; dy <= 1; dy += 1)
        for (let dx = -1; dx <= 1; dx += 1) {
          const [nx, ny] = [x + dx, y + dy];
          if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
          const next = ny * width + nx;
          if (seen[next] || map[next]! < INK) continue;
          seen[next] = 1;
          stack.push(next);
        }
    }
    if (cells.length < AREA_MIN || score / cells.length < SURE) continue;
    const columns = Array.from({ length: right - left + 1 }, (): [number, number] => [height, -1]);
    for (const at of cells) {
      const column = columns[(at % width) - left]!;
      const y = (at / width) | 0;
      column[0] = Math.min(column[0], y);
      column[1] = Math.max(column[1], y);
    }
    found.push({ left, right, top, bottom, area: cells.length, score: score / cells.length, columns });
  }
  return found;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** The parabola through the middles of the columns that is nearest to them; a straight line where there are few. */
function curveOf(middles: readonly number[]): [number, number, number] {
  const count = middles.length;
  const bends = count > 60;
  // Around the middle the sums of odd powers are nought.
  const half = (count - 1) / 2;
  let [s0, s2, s4, t0, t1, t2] = [0, 0, 0, 0, 0, 0];
  for (const [at, y] of middles.entries()) {
    const u = at - half;
    s0 += 1;
    s2 += u * u;
    s4 += u ** 4;
    t0 += y;
    t1 += u * y;
    t2 += u * u * y;
  }
  const b = s2 > 0 && count > 8 ? t1 / s2 : 0;
  const det = s0 * s4 - s2 * s2;
  const c = bends && det > 0 ? (s0 * t2 - s2 * t0) / det : 0;
  const a = (t0 - c * s2) / s0;
  // Counted from the left end.
  return [a - b * half + c * half * half, b - 2 * c * half, c];
}

/** Finds the lines of text in a picture. */
export async function detect(
  { Tensor }: Pick<typeof OnnxRuntime, 'Tensor'>,
  session: InferenceSession,
  raster: Raster,
  side: number,
): Promise<Detected> {
  const { data, width, height } = inputOf(raster, side);
  const input = new Tensor('float32', data, [1, 3, height, width]);
  const output = await session.run({ [session.inputNames[0]!]: input });
  const map = output[session.outputNames[0]!]!.data as Float32Array;
  const [scaleX, scaleY] = [raster.width / width, raster.height / height];
  const lines: Line[] = [];
  let [across, all] = [0, 0];
  const leans: { lean: number; length: number }[] = [];
  for (const { left, right, top, bottom, area, columns } of blobsIn(map, width, height)) {
    const [wide, high] = [right - left + 1, bottom - top + 1];
    all += area;
    if (wide > high * 4) across += area;
    const thick = median(columns.map(([from, to]) => to - from + 1));
    if (thick < THIN) continue;
    const middles = columns.map(([from, to]) => (from + to + 1) / 2);
    const [a, b, c] = curveOf(middles);
    if (wide > 40 && wide > thick * 4) leans.push({ lean: Math.atan(b + c * wide), length: wide });
    const beyond = Math.max(2, (BEYOND * wide * thick) / (wide + thick));
    // The curve is taken back to where the band begins, and from the map's pixels to the picture's.
    const [start, ratio] = [left - beyond, scaleY / scaleX];
    lines.push({
      left: start * scaleX,
      right: (right + 1 + beyond) * scaleX,
      curve: [
        (a - b * beyond + c * beyond * beyond) * scaleY,
        (b - 2 * c * beyond) * ratio,
        (c * ratio) / scaleX,
      ],
      height: (thick + 2 * beyond) * scaleY,
    });
  }
  // Half of all that was read leans less than this, and half of it more.
  leans.sort((one, other) => one.lean - other.lean);
  const total = leans.reduce((sum, { length }) => sum + length, 0);
  let passed = 0;
  const lean = leans.find(({ length }) => (passed += length) >= total / 2)?.lean ?? 0;
  return { lines, across: all > 0 ? across / all : 0, lean };
}

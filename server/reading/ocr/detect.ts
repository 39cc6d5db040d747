import type * as OnnxRuntime from 'onnxruntime-node';
import type { InferenceSession } from 'onnxruntime-node';
import type { Raster } from './raster.ts';
import { shadeAt } from './raster.ts';

/** A line of text: a band that may be skewed and bent with the paper. In pixels of the picture. */
export interface Line {
  left: number;
  right: number;
  /** The middle of the band at x from its left end: `a + b·x + c·x²`. */
  curve: readonly [a: number, b: number, c: number];
  height: number;
}

/** The result of text detection. */
export interface Detected {
  lines: Line[];
  /** The share of detected text in long horizontal lines, from 0 to 1: low for a page that lies on its side. */
  horizontalShare: number;
  /** The median skew of the lines, clockwise, in radians. */
  skew: number;
}

/** The network needs sides that are multiples of this. */
const GRID = 32;
const [TEXT_THRESHOLD, SCORE_MIN] = [0.3, 0.5];
/** The network marks the core of a line: it is enlarged by this share of its height on each side. */
const EXPANSION = 0.72;
const [AREA_MIN, THICKNESS_MIN] = [12, 2];

/** The normalisation of the training data: mean and deviation of red, green and blue. */
const MEANS = [0.485, 0.456, 0.406];
const DEVIATIONS = [0.229, 0.224, 0.225];

function inputOf(raster: Raster, side: number): { data: Float32Array; width: number; height: number } {
  const scale = Math.min(1.5, side / Math.max(raster.width, raster.height));
  const onGrid = (length: number) => Math.max(GRID, Math.round((length * scale) / GRID) * GRID);
  const [width, height] = [onGrid(raster.width), onGrid(raster.height)];
  const [stepX, stepY] = [raster.width / width, raster.height / height];
  const area = width * height;
  const data = new Float32Array(area * 3);
  // A large picture is averaged down.
  const [nx, ny] = [Math.max(1, Math.round(stepX)), Math.max(1, Math.round(stepY))];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let j = 0; j < ny; j += 1)
        for (let i = 0; i < nx; i += 1)
          sum += shadeAt(raster, (x + (i + 0.5) / nx) * stepX - 0.5, (y + (j + 0.5) / ny) * stepY - 0.5);
      const shade = sum / (nx * ny * 255);
      for (let colour = 0; colour < 3; colour += 1)
        data[colour * area + y * width + x] = (shade - MEANS[colour]!) / DEVIATIONS[colour]!;
    }
  return { data, width, height };
}

interface Region {
  left: number;
  right: number;
  top: number;
  bottom: number;
  area: number;
  score: number;
  /** The first and last row of each column from `left` on. */
  columns: [top: number, bottom: number][];
}

/** Connected regions of the probability map. */
function connectedRegions(map: Float32Array, width: number, height: number): Region[] {
  const seen = new Uint8Array(width * height);
  const regions: Region[] = [];
  const stack: number[] = [];
  for (let start = 0; start < map.length; start += 1) {
    if (seen[start] || map[start]! < TEXT_THRESHOLD) continue;
    let [left, right, top, bottom, score] = [width, 0, height, 0, 0];
    const cells: number[] = [];
    seen[start] = 1;
    stack.push(start);
    while (stack.length > 0) {
      const cell = stack.pop()!;
      cells.push(cell);
      score += map[cell]!;
      const [x, y] = [cell % width, (cell / width) | 0];
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
          if (seen[next] || map[next]! < TEXT_THRESHOLD) continue;
          seen[next] = 1;
          stack.push(next);
        }
    }
    if (cells.length < AREA_MIN || score / cells.length < SCORE_MIN) continue;
    const columns = Array.from({ length: right - left + 1 }, (): [number, number] => [height, -1]);
    for (const cell of cells) {
      const column = columns[(cell % width) - left]!;
      const y = (cell / width) | 0;
      column[0] = Math.min(column[0], y);
      column[1] = Math.max(column[1], y);
    }
    regions.push({ left, right, top, bottom, area: cells.length, score: score / cells.length, columns });
  }
  return regions;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Fits a parabola to the middles of the columns; a straight line where there are few. */
function curveOf(middles: readonly number[]): [number, number, number] {
  const count = middles.length;
  const bends = count > 60;
  // Centred, so that sums of odd powers vanish.
  const half = (count - 1) / 2;
  let [s0, s2, s4, t0, t1, t2] = [0, 0, 0, 0, 0, 0];
  for (const [index, y] of middles.entries()) {
    const u = index - half;
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
  // Shifted to the left end.
  return [a - b * half + c * half * half, b - 2 * c * half, c];
}

/** Detects the lines of text in a picture. */
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
  let [horizontalArea, totalArea] = [0, 0];
  const skews: { skew: number; length: number }[] = [];
  for (const { left, right, top, bottom, area, columns } of connectedRegions(map, width, height)) {
    const [boxWidth, boxHeight] = [right - left + 1, bottom - top + 1];
    totalArea += area;
    if (boxWidth > boxHeight * 4) horizontalArea += area;
    const thickness = median(columns.map(([from, to]) => to - from + 1));
    if (thickness < THICKNESS_MIN) continue;
    const middles = columns.map(([from, to]) => (from + to + 1) / 2);
    const [a, b, c] = curveOf(middles);
    if (boxWidth > 40 && boxWidth > thickness * 4)
      skews.push({ skew: Math.atan(b + c * boxWidth), length: boxWidth });
    const margin = Math.max(2, (EXPANSION * boxWidth * thickness) / (boxWidth + thickness));
    // Shift the curve to the left end of the band, and scale it from the map to the picture.
    const [leftEnd, ratio] = [left - margin, scaleY / scaleX];
    lines.push({
      left: leftEnd * scaleX,
      right: (right + 1 + margin) * scaleX,
      curve: [
        (a - b * margin + c * margin * margin) * scaleY,
        (b - 2 * c * margin) * ratio,
        (c * ratio) / scaleX,
      ],
      height: (thickness + 2 * margin) * scaleY,
    });
  }
  // The median skew, weighted by length.
  skews.sort((a, b) => a.skew - b.skew);
  const total = skews.reduce((sum, { length }) => sum + length, 0);
  let passed = 0;
  const skew = skews.find(({ length }) => (passed += length) >= total / 2)?.skew ?? 0;
  return { lines, horizontalShare: totalArea > 0 ? horizontalArea / totalArea : 0, skew };
}

import type { Line } from './detect.ts';
import type { Networks } from './engines.ts';
import type { Raster } from './raster.ts';
import { flattenLighting, rotateQuarters, downscale, rotate } from './raster.ts';

/** A rotated picture, with the way back to the original. */
interface Rotated {
  raster: Raster;
  /** Maps a point of the rotated picture to the original. */
  toOriginal: (x: number, y: number) => [x: number, y: number];
}

/** Pixels of the longer side of the copy on which orientation is detected. */
const PREVIEW_SIDE = 640;
/** With a smaller share of horizontal text, the page may lie on its side. */
const HORIZONTAL_MIN = 0.65;
/** A third of a degree: line recognition follows a smaller skew itself. */
const SKEW_MIN = 0.006;
/** Lines read both ways to find which side is up. */
const SAMPLES = 6;
/** Lines read with this confidence are the right way up. */
const UPRIGHT_CONFIDENCE = 0.85;

/** Rotates a picture clockwise by quarter turns, then by an angle. */
export function rotated(original: Raster, quarters: number, angle: number): Rotated {
  const quarter = rotateQuarters(original, quarters);
  const raster = angle === 0 ? quarter : rotate(quarter, angle);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [cx, cy] = [(raster.width - 1) / 2, (raster.height - 1) / 2];
  return {
    raster,
    toOriginal(x, y) {
      const [dx, dy] = [x - cx, y - cy];
      const [qx, qy] = [cx + dx * cos + dy * sin, cy - dx * sin + dy * cos];
      switch (((quarters % 4) + 4) % 4) {
        case 1:
          return [qy, original.height - 1 - qx];
        case 2:
          return [original.width - 1 - qx, original.height - 1 - qy];
        case 3:
          return [original.width - 1 - qy, qx];
        default:
          return [qx, qy];
      }
    },
  };
}

/** The mean confidence with which some lines are read, from 0 to 1. */
async function readability(networks: Networks, raster: Raster, lines: readonly Line[]): Promise<number> {
  const longest = lines
    .filter(({ left, right, height }) => right - left > height * 2)
    .toSorted((a, b) => b.right - b.left - (a.right - a.left))
    .slice(0, SAMPLES)
    // A part of each line is enough.
    .map((line) => ({ ...line, right: Math.min(line.right, line.left + line.height * 12) }));
  const read = await networks.recognise(raster, longest);
  const letters = read.flatMap((line) => line.letters);
  return letters.length === 0
    ? 0
    : letters.reduce((sum, { confidence }) => sum + confidence, 0) / letters.length;
}

const scaleLine = ({ left, right, curve: [a, b, c], height }: Line, factor: number): Line => ({
  left: left * factor,
  right: right * factor,
  curve: [a * factor, b, c / factor],
  height: height * factor,
});

/** The same line in the picture rotated by a half turn. */
const halfTurn = ({ left, right, curve: [a, b, c], height }: Line, raster: Raster): Line => {
  const length = right - left;
  const end = a + b * length + c * length * length;
  return {
    left: raster.width - right,
    right: raster.width - left,
    curve: [raster.height - end, b + 2 * c * length, -c],
    height,
  };
};

/** The page the right way up, its lines level, its paper white. */
export async function straighten(networks: Networks, raster: Raster): Promise<Rotated> {
  const flattened = flattenLighting(raster);
  const preview = downscale(
    flattened,
    Math.max(1, Math.max(flattened.width, flattened.height) / (PREVIEW_SIDE * 1.5)),
  );
  const first = await networks.detect(preview, PREVIEW_SIDE);
  let [quarters, detected] = [0, first];
  if (first.horizontalShare < HORIZONTAL_MIN && first.lines.length > 0) {
    const turned = await networks.detect(rotateQuarters(preview, 3), PREVIEW_SIDE);
    if (turned.horizontalShare > first.horizontalShare) [quarters, detected] = [3, turned];
  }
  const sideways = rotateQuarters(flattened, quarters);
  const lines = detected.lines.map((line) =>
    scaleLine(line, sideways.width / (quarters === 0 ? preview.width : preview.height)),
  );
  if (lines.length > 0) {
    const asIs = await readability(networks, sideways, lines);
    if (asIs < UPRIGHT_CONFIDENCE) {
      const halfTurned = lines.map((line) => halfTurn(line, sideways));
      if ((await readability(networks, rotateQuarters(sideways, 2), halfTurned)) > asIs + 0.05) quarters += 2;
    }
  }
  const angle = Math.abs(detected.skew) > SKEW_MIN ? -detected.skew : 0;
  return rotated(flattened, quarters, angle);
}

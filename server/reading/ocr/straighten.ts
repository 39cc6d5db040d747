import type { Line } from './detect.ts';
import type { Networks } from './engines.ts';
import type { Raster } from './raster.ts';
import { evened, quarterTurned, shrunk, turned } from './raster.ts';

/** A picture that was turned, and the way back. */
export interface Upright {
  raster: Raster;
  /** Where a place of the upright picture lies in the one that was given. */
  back: (x: number, y: number) => [x: number, y: number];
}

/** Pixels of the longest side at which a page is looked at to see how it lies. */
const GLANCE = 640;
/** Less of it in lines across, and it may lie on its side. */
const LINED = 0.65;
/** Of one degree this is a third: what is left of it the reader of lines follows by itself. */
const STRAIGHT = 0.006;
/** Lines that are read both ways to see which is up. */
const SAMPLES = 6;
/** Read so well, they are the right way up. */
const CERTAIN = 0.85;

/** Turns a picture by quarters, clockwise, and then by an angle. */
export function upright(given: Raster, quarters: number, angle: number): Upright {
  const quarter = quarterTurned(given, quarters);
  const raster = angle === 0 ? quarter : turned(quarter, angle);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [cx, cy] = [(raster.width - 1) / 2, (raster.height - 1) / 2];
  return {
    raster,
    back(x, y) {
      const [dx, dy] = [x - cx, y - cy];
      const [qx, qy] = [cx + dx * cos + dy * sin, cy - dx * sin + dy * cos];
      switch (((quarters % 4) + 4) % 4) {
        case 1:
          return [qy, given.height - 1 - qx];
        case 2:
          return [given.width - 1 - qx, given.height - 1 - qy];
        case 3:
          return [given.width - 1 - qy, qx];
        default:
          return [qx, qy];
      }
    },
  };
}

/** How surely some of the lines are read, from 0 to 1. */
async function readability(networks: Networks, raster: Raster, lines: readonly Line[]): Promise<number> {
  const longest = lines
    .filter(({ left, right, height }) => right - left > height * 2)
    .toSorted((a, b) => b.right - b.left - (a.right - a.left))
    .slice(0, SAMPLES)
    // A part of each is enough.
    .map((line) => ({ ...line, right: Math.min(line.right, line.left + line.height * 12) }));
  const read = await networks.recognise(raster, longest);
  const letters = read.flatMap((one) => one.letters);
  return letters.length === 0 ? 0 : letters.reduce((sum, { sure }) => sum + sure, 0) / letters.length;
}

const enlarged = ({ left, right, curve: [a, b, c], height }: Line, by: number): Line => ({
  left: left * by,
  right: right * by,
  curve: [a * by, b, c / by],
  height: height * by,
});

/** The same line in the picture when it stands on its head. */
const overturned = ({ left, right, curve: [a, b, c], height }: Line, raster: Raster): Line => {
  const long = right - left;
  const end = a + b * long + c * long * long;
  return {
    left: raster.width - right,
    right: raster.width - left,
    curve: [raster.height - end, b + 2 * c * long, -c],
    height,
  };
};

/** The page the right way up, its lines level, its paper white. */
export async function straightened(networks: Networks, given: Raster): Promise<Upright> {
  const even = evened(given);
  const small = shrunk(even, Math.max(1, Math.max(even.width, even.height) / (GLANCE * 1.5)));
  const first = await networks.detect(small, GLANCE);
  let [quarters, found] = [0, first];
  if (first.across < LINED && first.lines.length > 0) {
    const other = await networks.detect(quarterTurned(small, 3), GLANCE);
    if (other.across > first.across) [quarters, found] = [3, other];
  }
  const turn = quarterTurned(even, quarters);
  const lines = found.lines.map((line) =>
    enlarged(line, turn.width / (quarters === 0 ? small.width : small.height)),
  );
  if (lines.length > 0) {
    const asIs = await readability(networks, turn, lines);
    if (asIs < CERTAIN) {
      const over = lines.map((line) => overturned(line, turn));
      if ((await readability(networks, quarterTurned(turn, 2), over)) > asIs + 0.05) quarters += 2;
    }
  }
  const angle = Math.abs(found.lean) > STRAIGHT ? -found.lean : 0;
  return upright(even, quarters, angle);
}

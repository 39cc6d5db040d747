/** A picture in shades of grey: 0 is black, 255 white, a byte a pixel, row after row. */
export interface Raster {
  data: Uint8Array;
  width: number;
  height: number;
}

export const blank = (width: number, height: number): Raster => ({
  data: new Uint8Array(width * height).fill(255),
  width,
  height,
});

/** The shade between pixels; white outside. */
export function shadeAt({ data, width, height }: Raster, x: number, y: number): number {
  if (x < 0 || y < 0 || x > width - 1 || y > height - 1) return 255;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, below] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)];
  const [fx, fy] = [x - left, y - top];
  const upper = data[top * width + left]! * (1 - fx) + data[top * width + right]! * fx;
  const lower = data[below * width + left]! * (1 - fx) + data[below * width + right]! * fx;
  return upper * (1 - fy) + lower * fy;
}

/** Turned clockwise by so many quarters. */
export function quarterTurned(raster: Raster, quarters: number): Raster {
  const turns = ((quarters % 4) + 4) % 4;
  if (turns === 0) return raster;
  const { data, width, height } = raster;
  const [w, h] = turns === 2 ? [width, height] : [height, width];
  const out = blank(w, h);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [tx, ty] =
        turns === 1
          ? [height - 1 - y, x]
          : turns === 2
            ? [width - 1 - x, height - 1 - y]
            : [y, width - 1 - x];
      out.data[ty * w + tx] = data[y * width + x]!;
    }
  return out;
}

/** Turned around its middle by an angle, counted clockwise, in radians; it keeps its size. */
export function turned(raster: Raster, angle: number): Raster {
  const { width, height } = raster;
  const out = blank(width, height);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [cx, cy] = [(width - 1) / 2, (height - 1) / 2];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [dx, dy] = [x - cx, y - cy];
      out.data[y * width + x] = shadeAt(raster, cx + dx * cos + dy * sin, cy - dx * sin + dy * cos);
    }
  return out;
}

/** By the mean of what falls together. */
export function shrunk({ data, width, height }: Raster, by: number): Raster {
  const [w, h] = [Math.max(1, Math.floor(width / by)), Math.max(1, Math.floor(height / by))];
  const out = blank(w, h);
  for (let y = 0; y < h; y += 1)
    for (let x = 0; x < w; x += 1) {
      const [left, top] = [Math.floor(x * by), Math.floor(y * by)];
      const [right, below] = [
        Math.max(left + 1, Math.min(width, Math.floor((x + 1) * by))),
        Math.max(top + 1, Math.min(height, Math.floor((y + 1) * by))),
      ];
      let sum = 0;
      for (let row = top; row < below; row += 1)
        for (let column = left; column < right; column += 1) sum += data[row * width + column]!;
      out.data[y * w + x] = sum / ((right - left) * (below - top));
    }
  return out;
}

/** Of a copy whose cells are this large the paper's shade is taken. */
const CELL = 16;
/** Cells around one among which the lightest is paper. */
const AROUND = 3;

/** The lightest shade near each cell, then smoothed: paper, without what is written on it. */
function paperOf(small: Raster): Raster {
  const { width, height } = small;
  const along = (from: Raster, stepX: number, stepY: number, light: boolean): Raster => {
    const out = blank(width, height);
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) {
        let [best, sum, count] = [0, 0, 0];
        for (let step = -AROUND; step <= AROUND; step += 1) {
          const [at, down] = [x + step * stepX, y + step * stepY];
          if (at < 0 || down < 0 || at >= width || down >= height) continue;
          const shade = from.data[down * width + at]!;
          best = Math.max(best, shade);
          sum += shade;
          count += 1;
        }
        out.data[y * width + x] = light ? best : sum / count;
      }
    return out;
  };
  const lightest = along(along(small, 1, 0, true), 0, 1, true);
  return along(along(lightest, 1, 0, false), 0, 1, false);
}

/** Lighter and even, as if the light had fallen everywhere alike: shadows of a photo are gone, what is written stays. */
export function evened(raster: Raster): Raster {
  const { data, width, height } = raster;
  const paper = paperOf(shrunk(raster, CELL));
  const out = blank(width, height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const px = Math.min(Math.max(x / CELL - 0.5, 0), paper.width - 1);
      const py = Math.min(Math.max(y / CELL - 0.5, 0), paper.height - 1);
      const light = Math.max(48, shadeAt(paper, px, py));
      out.data[y * width + x] = Math.min(255, (data[y * width + x]! / light) * 255);
    }
  return out;
}

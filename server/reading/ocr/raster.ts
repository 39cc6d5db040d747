/** A greyscale picture: 0 is black, 255 white, one byte per pixel, row by row. */
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

/** The bilinearly interpolated shade; white outside of the picture. */
export function shadeAt({ data, width, height }: Raster, x: number, y: number): number {
  if (x < 0 || y < 0 || x > width - 1 || y > height - 1) return 255;
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, below] = [Math.min(left + 1, width - 1), Math.min(top + 1, height - 1)];
  const [fx, fy] = [x - left, y - top];
  const upper = data[top * width + left]! * (1 - fx) + data[top * width + right]! * fx;
  const lower = data[below * width + left]! * (1 - fx) + data[below * width + right]! * fx;
  return upper * (1 - fy) + lower * fy;
}

/** Rotates clockwise by quarter turns. */
export function rotateQuarters(raster: Raster, quarters: number): Raster {
  const quarterTurns = ((quarters % 4) + 4) % 4;
  if (quarterTurns === 0) return raster;
  const { data, width, height } = raster;
  const [w, h] = quarterTurns === 2 ? [width, height] : [height, width];
  const out = blank(w, h);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [tx, ty] =
        quarterTurns === 1
          ? [height - 1 - y, x]
          : quarterTurns === 2
            ? [width - 1 - x, height - 1 - y]
            : [y, width - 1 - x];
      out.data[ty * w + tx] = data[y * width + x]!;
    }
  return out;
}

/** Rotates around the centre by an angle, clockwise, in radians; the size stays. */
export function rotate(raster: Raster, angle: number): Raster {
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

/** Scales down by averaging. */
export function downscale({ data, width, height }: Raster, factor: number): Raster {
  const [w, h] = [Math.max(1, Math.floor(width / factor)), Math.max(1, Math.floor(height / factor))];
  const out = blank(w, h);
  for (let y = 0; y < h; y += 1)
    for (let x = 0; x < w; x += 1) {
      const [left, top] = [Math.floor(x * factor), Math.floor(y * factor)];
      const [right, below] = [
        Math.max(left + 1, Math.min(width, Math.floor((x + 1) * factor))),
        Math.max(top + 1, Math.min(height, Math.floor((y + 1) * factor))),
      ];
      let sum = 0;
      for (let row = top; row < below; row += 1)
        for (let column = left; column < right; column += 1) sum += data[row * width + column]!;
      out.data[y * w + x] = sum / ((right - left) * (below - top));
    }
  return out;
}

/** The paper's shade is estimated on a copy scaled down by this factor. */
const CELL = 16;
/** The lightest cell within this radius is paper. */
const RADIUS = 3;

/** Estimates the paper's shade: the local maximum, smoothed. */
function paperOf(small: Raster): Raster {
  const { width, height } = small;
  const filterAlong = (from: Raster, stepX: number, stepY: number, light: boolean): Raster => {
    const out = blank(width, height);
    for (let y = 0; y < height; y += 1)
      for (let x = 0; x < width; x += 1) {
        let [best, sum, count] = [0, 0, 0];
        for (let step = -RADIUS; step <= RADIUS; step += 1) {
          const [sampleX, sampleY] = [x + step * stepX, y + step * stepY];
          if (sampleX < 0 || sampleY < 0 || sampleX >= width || sampleY >= height) continue;
          const shade = from.data[sampleY * width + sampleX]!;
          best = Math.max(best, shade);
          sum += shade;
          count += 1;
        }
        out.data[y * width + x] = light ? best : sum / count;
      }
    return out;
  };
  const lightest = filterAlong(filterAlong(small, 1, 0, true), 0, 1, true);
  return filterAlong(filterAlong(lightest, 1, 0, false), 0, 1, false);
}

/** Evens out the lighting: shadows of a photo disappear, the text stays. */
export function flattenLighting(raster: Raster): Raster {
  const { data, width, height } = raster;
  const paper = paperOf(downscale(raster, CELL));
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

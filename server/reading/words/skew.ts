/** The slope of a text line at a point: how far it falls per step to the right. */
export interface SlopeSample {
  x: number;
  y: number;
  slope: number;
  /** Its weight: the length of the line. */
  weight: number;
}

/** The skew of a page, which may vary over it, as on a photo from an angle or a bent sheet. */
export interface PageSkew {
  /** The vertical position a point would have if all lines were level. */
  levelledY: (x: number, y: number) => number;
  /** The slope of lines at a point. */
  slopeAt: (x: number, y: number) => number;
}

/** With fewer lines, one slope is assumed for the whole page. */
const LINES_MIN = 8;
/** Lines whose slope differs by more from the median are ignored. */
const OUTLIER_SLOPE = 0.02;
const REGULARISATION = 0.005;

function medianSlope(samples: readonly SlopeSample[]): number {
  const sorted = samples.toSorted((a, b) => a.slope - b.slope);
  const half = samples.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let passed = 0;
  return sorted.find(({ weight }) => (passed += weight) >= half)?.slope ?? 0;
}

/** Solves three linear equations by Cramer's rule; null where they are nearly singular. */
function solve(m: readonly number[][], v: readonly number[]): number[] | null {
  const det = (a: readonly number[][]): number =>
    a[0]![0]! * (a[1]![1]! * a[2]![2]! - a[1]![2]! * a[2]![1]!) -
    a[0]![1]! * (a[1]![0]! * a[2]![2]! - a[1]![2]! * a[2]![0]!) +
    a[0]![2]! * (a[1]![0]! * a[2]![1]! - a[1]![1]! * a[2]![0]!);
  const whole = det(m);
  const size = m[0]![0]! * m[1]![1]! * m[2]![2]!;
  if (!(Math.abs(whole) > size * 1e-9)) return null;
  return [0, 1, 2].map(
    (column) =>
      det(m.map((row, index) => row.map((value, to) => (to === column ? v[index]! : value)))) / whole,
  );
}

/**
 * Fits the slope over the page to the slopes of its lines by weighted least squares: `p + q·x + r·y`, with x and y
 * from their mean.
 */
export function fitSkew(samples: readonly SlopeSample[]): PageSkew {
  const median = medianSlope(samples);
  const inliers = samples.filter(({ slope }) => Math.abs(slope - median) < OUTLIER_SLOPE + Math.abs(median));
  const totalWeight = inliers.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const cx = inliers.reduce((sum, { x, weight }) => sum + x * weight, 0) / totalWeight;
  const cy = inliers.reduce((sum, { y, weight }) => sum + y * weight, 0) / totalWeight;
  let [p, q, r] = [median, 0, 0];
  if (inliers.length >= LINES_MIN) {
    const m = [0, 0, 0].map(() => [0, 0, 0]);
    const v = [0, 0, 0];
    for (const { x, y, slope, weight } of inliers) {
      const terms = [1, x - cx, y - cy];
      for (const [row, term] of terms.entries()) {
        v[row]! += weight * term * slope;
        for (const [column, other] of terms.entries()) m[row]![column]! += weight * term * other;
      }
    }
    // Ridge regularisation: lines in one column say nothing about how the slope changes across the page.
    for (const index of [1, 2]) m[index]![index]! += (m[1]![1]! + m[2]![2]!) * REGULARISATION;
    [p = median, q = 0, r = 0] = solve(m, v) ?? [median];
  }
  return {
    slopeAt: (x, y) => p + q * (x - cx) + r * (y - cy),
    levelledY: (x, y) => y - (p + r * (y - cy)) * (x - cx) - (q * (x - cx) ** 2) / 2,
  };
}

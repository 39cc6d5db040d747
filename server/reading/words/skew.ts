/** How much a line of text leans at a place: by so much it falls for each step to the right. */
export interface Lean {
  x: number;
  y: number;
  slope: number;
  /** How much it counts: its length. */
  weight: number;
}

/** A page whose lines lean, and not all alike: those of a photo from the side, or of a sheet that bends. */
export interface Level {
  /** Where a place would lie in height if all lines were level. */
  height: (x: number, y: number) => number;
  /** How much lines lean at a place. */
  at: (x: number, y: number) => number;
}

/** Fewer lines than these say one lean for the whole page. */
const FEW = 8;
/** Lines that lean otherwise than the others, by more than this, are no lines. */
const ODD = 0.02;
const CAUTION = 0.005;

function middleLean(leans: readonly Lean[]): number {
  const sorted = leans.toSorted((a, b) => a.slope - b.slope);
  const half = leans.reduce((sum, { weight }) => sum + weight, 0) / 2;
  let passed = 0;
  return sorted.find(({ weight }) => (passed += weight) >= half)?.slope ?? 0;
}

/** Solves three equations with three unknowns by Cramer's rule; null where they do not say enough. */
function solved(m: readonly number[][], v: readonly number[]): number[] | null {
  const det = (a: readonly number[][]): number =>
    a[0]![0]! * (a[1]![1]! * a[2]![2]! - a[1]![2]! * a[2]![1]!) -
    a[0]![1]! * (a[1]![0]! * a[2]![2]! - a[1]![2]! * a[2]![0]!) +
    a[0]![2]! * (a[1]![0]! * a[2]![1]! - a[1]![1]! * a[2]![0]!);
  const whole = det(m);
  const size = m[0]![0]! * m[1]![1]! * m[2]![2]!;
  if (!(Math.abs(whole) > size * 1e-9)) return null;
  return [0, 1, 2].map(
    (column) => det(m.map((row, at) => row.map((one, to) => (to === column ? v[at]! : one)))) / whole,
  );
}

/** The lean as it changes over the page, from the leans of its lines: `p + q·x + r·y`, with x and y from their middle. */
export function levelOf(leans: readonly Lean[]): Level {
  const usual = middleLean(leans);
  const kept = leans.filter(({ slope }) => Math.abs(slope - usual) < ODD + Math.abs(usual));
  const all = kept.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const cx = kept.reduce((sum, { x, weight }) => sum + x * weight, 0) / all;
  const cy = kept.reduce((sum, { y, weight }) => sum + y * weight, 0) / all;
  let [p, q, r] = [usual, 0, 0];
  if (kept.length >= FEW) {
    const m = [0, 0, 0].map(() => [0, 0, 0]);
    const v = [0, 0, 0];
    for (const { x, y, slope, weight } of kept) {
      const terms = [1, x - cx, y - cy];
      for (const [row, one] of terms.entries()) {
        v[row]! += weight * one * slope;
        for (const [column, other] of terms.entries()) m[row]![column]! += weight * one * other;
      }
    }
    // Lines that all stand in one column say nothing of how the lean changes across the page: then it does not.
    for (const at of [1, 2]) m[at]![at]! += (m[1]![1]! + m[2]![2]!) * CAUTION;
    [p = usual, q = 0, r = 0] = solved(m, v) ?? [usual];
  }
  return {
    at: (x, y) => p + q * (x - cx) + r * (y - cy),
    height: (x, y) => y - (p + r * (y - cy)) * (x - cx) - (q * (x - cx) ** 2) / 2,
  };
}

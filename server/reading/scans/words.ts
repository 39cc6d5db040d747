import type { Line } from './detect.ts';
import type { Letter } from './recognise.ts';

/** A word where it stands, in pixels of the picture. */
export interface ScannedWord {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** From 0 to 1. */
  sure: number;
}

/** Of a strip's height: a gap as wide as the first stands between words in any print, one narrower than the other in none. */
const [WIDE, NARROW] = [0.34, 0.1];
const BINS = 12;
const USUAL = 4;
/** Ink in a column of a strip that is dirt. */
const DIRT = 0.35;

interface Gap {
  from: number;
  to: number;
}

/** Columns without ink between the first and the last with some. */
function gapsIn(ink: Float32Array): { gaps: Gap[]; from: number; to: number } {
  const gaps: Gap[] = [];
  let [first, last] = [-1, -1];
  for (let x = 0; x < ink.length; x += 1) {
    if (ink[x]! < DIRT) continue;
    if (first < 0) first = x;
    else if (x - last > 1) gaps.push({ from: last + 1, to: x });
    last = x;
  }
  return { gaps, from: Math.max(0, first), to: last + 1 };
}

/**
 * From what width on a gap stands between words, of a strip's height: where the widths on the whole page fall apart, for
 * letters stand alike and words too.
 */
export function wordGap(inks: readonly Float32Array[], height: number): number {
  const counts = new Float64Array(BINS);
  for (const ink of inks)
    for (const gap of gapsIn(ink).gaps) {
      const share = (gap.to - gap.from) / height;
      if (share >= NARROW && share < WIDE)
        counts[Math.floor(((share - NARROW) / (WIDE - NARROW)) * BINS)]! += 1;
    }
  const smooth = counts.map(
    (_, at) => (counts[at - 1] ?? counts[at]!) + counts[at]! + (counts[at + 1] ?? counts[at]!),
  );
  let best = USUAL;
  for (let at = 0; at < BINS; at += 1)
    // Of places alike, the one nearest to what is usual in print.
    if (
      smooth[at]! < smooth[best]! - 0.5 ||
      (Math.abs(smooth[at]! - smooth[best]!) <= 0.5 && Math.abs(at - USUAL) < Math.abs(best - USUAL))
    )
      best = at;
  return (NARROW + ((best + 0.5) / BINS) * (WIDE - NARROW)) * height;
}

/** The words of a line: parted where a space was read, and where nothing is printed. */
export function wordsOf(
  line: Line,
  { letters, ink, scale }: { letters: readonly Letter[]; ink: Float32Array; scale: number },
  limit: number,
): ScannedWord[] {
  const { gaps, from, to } = gapsIn(ink);
  const wide = gaps.filter((gap) => gap.to - gap.from >= limit);
  const edges = [from, ...wide.flatMap((gap) => [gap.from, gap.to]), to];
  const groups: { letters: Letter[]; from: number; to: number }[] = [];
  for (let at = 0; at < edges.length; at += 2)
    groups.push({ letters: [], from: edges[at]!, to: edges[at + 1]! });
  for (const letter of letters) {
    if (letter.text === ' ') continue;
    const x = letter.at / scale;
    const near = groups.reduce((best, group) => (apart(group, x) < apart(best, x) ? group : best));
    near.letters.push(letter);
  }
  const [a, b, c] = line.curve;
  return groups.flatMap((group) => {
    if (group.letters.length === 0) return [];
    const middle = ((group.from + group.to) / 2) * scale;
    const y = a + b * middle + c * middle * middle;
    const lean = (Math.abs(b + 2 * c * middle) * (group.to - group.from) * scale) / 2;
    const half = line.height * 0.36 + lean;
    return {
      text: group.letters.map(({ text }) => text).join(''),
      left: line.left + group.from * scale,
      right: line.left + group.to * scale,
      top: y - half,
      bottom: y + half,
      sure: Math.min(...group.letters.map(({ sure }) => sure)),
    };
  });
}

const apart = ({ from, to }: Gap, x: number): number => (x < from ? from - x : x > to ? x - to : 0);

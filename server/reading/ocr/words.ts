import { bandOf } from './bands.ts';
import type { Line } from './detect.ts';
import type { Letter } from './recognise.ts';

/** A recognised word and its position, in pixels of the picture. */
export interface ScannedWord {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
  /** From 0 to 1. */
  confidence: number;
}

/**
 * Shares of the strip height: a gap as wide as the first separates words in any print, one narrower than the second
 * in none.
 */
const [GAP_MAX, GAP_MIN] = [0.6, 0.1];
/** The default where the page shows no clear limit. */
const GAP_DEFAULT = 0.2;
/** Pixels of a strip added to the widest gap between letters. */
const GAP_MARGIN = 2.5;
/** Gap widths rarer than this share of the most frequent one lie between letter gaps and word gaps. */
const RARE_SHARE = 0.05;
/** The share of the limit that suffices where the network read a blank, within so many pixels of a strip. */
const [BLANK_FACTOR, BLANK_DISTANCE] = [0.6, 10];
/**
 * Digits have equal spacing, but a 1 is narrow: with a blank in between, the distance of their middles is larger by
 * this factor; the second is for after a comma or point.
 */
const [BLANK_SPACING, BLANK_SPACING_AFTER_POINT] = [1.3, 1.12];
/** Digits that touch have one middle: smaller distances are ignored. In pixels of a strip. */
const SPACING_MIN = 8;
/** Less ink in a column of a strip is dirt. */
const INK_MIN = 0.35;

interface Gap {
  from: number;
  to: number;
}

/** The gaps between columns with ink. */
function gapsIn(ink: Float32Array): { gaps: Gap[]; from: number; to: number } {
  const gaps: Gap[] = [];
  let [first, last] = [-1, -1];
  for (let x = 0; x < ink.length; x += 1) {
    if (ink[x]! < INK_MIN) continue;
    if (first < 0) first = x;
    else if (x - last > 1) gaps.push({ from: last + 1, to: x });
    last = x;
  }
  return { gaps, from: Math.max(0, first), to: last + 1 };
}

/**
 * The width from which a gap separates words, in pixels of a strip, from the distribution of gap widths on the page:
 * letter gaps and word gaps form two groups.
 */
export function wordGap(inks: readonly Float32Array[], height: number): number {
  const counts = new Float64Array(Math.ceil(GAP_MAX * height) + 2);
  for (const ink of inks)
    for (const { from, to } of gapsIn(ink).gaps) if (to - from < counts.length) counts[to - from]! += 1;
  const smooth = counts.map(
    (count, width) => ((counts[width - 1] ?? count) + count + (counts[width + 1] ?? count)) / 3,
  );
  const rare = Math.max(0.7, Math.max(...smooth) * RARE_SHARE);
  const peak = smooth.indexOf(Math.max(...smooth));
  const [minGap, maxGap] = [Math.ceil(GAP_MIN * height), Math.floor(GAP_MAX * height)];
  let from = Math.max(minGap, peak + 1);
  while (from <= maxGap && smooth[from]! > rare) from += 1;
  if (from > maxGap) return GAP_DEFAULT * height;
  let to = from;
  while (to < maxGap && smooth[to + 1]! <= rare) to += 1;
  // Few blanks do not show where word gaps begin, but many letters show where letter gaps end.
  return from + Math.min(GAP_MARGIN, (to - from + 1) / 2);
}

/** The runs of printed columns between two positions of a strip. */
function printIn(ink: Float32Array, from: number, to: number): Gap[] {
  const runs: Gap[] = [];
  for (let x = from; x < to; x += 1) {
    if (ink[x]! < INK_MIN) continue;
    const last = runs.at(-1);
    if (last && last.to === x) last.to = x + 1;
    else runs.push({ from: x, to: x + 1 });
  }
  return runs;
}

const middle = ({ from, to }: Gap): number => (from + to) / 2;

interface Group extends Gap {
  letters: Letter[];
}

/** The middles of the print of each letter. */
function middlesOf(group: Group, ink: Float32Array, scale: number): { text: string; x: number }[] {
  const runs = printIn(ink, group.from, group.to);
  return group.letters.map(({ text, position }) => {
    const x = position / scale;
    return {
      text,
      x: middle(runs.reduce((best, run) => (distance(run, x) < distance(best, x) ? run : best))),
    };
  });
}

/** Whether the gap between two groups is only the space beside a narrow digit of one number. */
function isWithinNumber(before: Group, after: Group, ink: Float32Array, scale: number): boolean {
  const [lettersBefore, lettersAfter] = [middlesOf(before, ink, scale), middlesOf(after, ink, scale)];
  const [end, start] = [lettersBefore.at(-1)!, lettersAfter[0]!];
  if (!PART_OF_NUMBER.test(end.text) || !PART_OF_NUMBER.test(start.text)) return false;
  // No blank comes before a comma.
  if (/[.,]/.test(start.text)) return /\d/.test(end.text);
  const spacings = [lettersBefore, lettersAfter].flatMap((letters) =>
    letters.slice(1).flatMap(({ text, x }, index) => {
      const step = x - letters[index]!.x;
      return /\d/.test(text) && /\d/.test(letters[index]!.text) && step > SPACING_MIN ? [step] : [];
    }),
  );
  const spacing = spacings.toSorted((a, b) => a - b)[spacings.length >> 1];
  return (
    spacing !== undefined &&
    start.x - end.x < spacing * (/[.,]/.test(end.text) ? BLANK_SPACING_AFTER_POINT : BLANK_SPACING)
  );
}

/** Splits a line into words where the network read a blank and where nothing is printed. */
export function splitIntoWords(
  line: Line,
  { letters, ink, scale }: { letters: readonly Letter[]; ink: Float32Array; scale: number },
  limit: number,
): ScannedWord[] {
  const { gaps, from, to } = gapsIn(ink);
  // A narrower gap suffices where a blank was read.
  const blanks = letters.filter(({ text }) => text === ' ').map(({ position }) => position / scale);
  const wordGaps = gaps.filter((gap) => {
    const width = gap.to - gap.from;
    return (
      width >= limit ||
      (width >= limit * BLANK_FACTOR &&
        blanks.some((blank) => Math.abs(blank - (gap.from + gap.to) / 2) < BLANK_DISTANCE))
    );
  });
  const edges = [from, ...wordGaps.flatMap((gap) => [gap.from, gap.to]), to];
  const groups: Group[] = [];
  for (let index = 0; index < edges.length; index += 2)
    groups.push({ letters: [], from: edges[index]!, to: edges[index + 1]! });
  for (const letter of letters) {
    if (letter.text === ' ') continue;
    const x = letter.position / scale;
    const nearest = groups.reduce((best, group) => (distance(group, x) < distance(best, x) ? group : best));
    nearest.letters.push(letter);
  }
  const merged: typeof groups = [];
  for (const group of groups) {
    const last = merged.at(-1);
    if (last && group.letters.length > 0 && isWithinNumber(last, group, ink, scale)) {
      last.letters.push(...group.letters);
      last.to = group.to;
    } else if (group.letters.length > 0) merged.push(group);
  }
  return merged.map((group) => {
    const [left, right] = [line.left + group.from * scale, line.left + group.to * scale];
    return {
      text: group.letters.map(({ text }) => text).join(''),
      left,
      right,
      ...bandOf(line, left, right),
      confidence: Math.min(...group.letters.map(({ confidence }) => confidence)),
    };
  });
}

/** Characters of numbers, dates and times. */
const PART_OF_NUMBER = /^[\d.,:/-]$/;
const distance = ({ from, to }: Gap, x: number): number => (x < from ? from - x : x > to ? x - to : 0);

import { bandOf } from './bands.ts';
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
const [WIDE, NARROW] = [0.6, 0.1];
/** Where nothing says more. */
const USUAL = 0.2;
/** So many pixels of a strip beyond the widest gaps between letters. */
const BEYOND = 2.5;
/** Of the commonest width of a gap between letters: widths that are rarer than this share of it lie between those of letters and of words. */
const RARE = 0.05;
/** Of that, where a blank was read as well, within so many pixels of a strip. */
const [LESS, NEAR] = [0.6, 10];
/** Digits stand alike, and a 1 is narrow: from middle to middle they are this much further apart when a blank stands between. */
const [FURTHER, FURTHER_THAN_SIGN] = [1.3, 1.12];
/** Digits that touch have one middle. In pixels of a strip. */
const TOUCHING = 8;
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
 * From what width on a gap stands between words, in pixels of a strip: where the widths on the whole page fall apart, for
 * letters stand alike and words too.
 */
export function wordGap(inks: readonly Float32Array[], height: number): number {
  const counts = new Float64Array(Math.ceil(WIDE * height) + 2);
  for (const ink of inks)
    for (const { from, to } of gapsIn(ink).gaps) if (to - from < counts.length) counts[to - from]! += 1;
  const smooth = counts.map((one, at) => ((counts[at - 1] ?? one) + one + (counts[at + 1] ?? one)) / 3);
  const rare = Math.max(0.7, Math.max(...smooth) * RARE);
  const peak = smooth.indexOf(Math.max(...smooth));
  const [least, most] = [Math.ceil(NARROW * height), Math.floor(WIDE * height)];
  let from = Math.max(least, peak + 1);
  while (from <= most && smooth[from]! > rare) from += 1;
  if (from > most) return USUAL * height;
  let to = from;
  while (to < most && smooth[to + 1]! <= rare) to += 1;
  // Of few blanks nobody sees where they begin, of letters one sees where they end.
  return from + Math.min(BEYOND, (to - from + 1) / 2);
}

/** Where something is printed, between two places of a strip. */
function printIn(ink: Float32Array, from: number, to: number): Gap[] {
  const runs: Gap[] = [];
  for (let x = from; x < to; x += 1) {
    if (ink[x]! < DIRT) continue;
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

/** The middles of what is printed of some letters, by which digits stand alike. */
function middlesOf(group: Group, ink: Float32Array, scale: number): { text: string; x: number }[] {
  const runs = printIn(ink, group.from, group.to);
  return group.letters.map(({ text, at }) => {
    const x = at / scale;
    return { text, x: middle(runs.reduce((best, run) => (apart(run, x) < apart(best, x) ? run : best))) };
  });
}

/** Whether the gap between two pieces of a number is only the white beside a narrow digit. */
function isWithinNumber(before: Group, after: Group, ink: Float32Array, scale: number): boolean {
  const [some, others] = [middlesOf(before, ink, scale), middlesOf(after, ink, scale)];
  const [end, start] = [some.at(-1)!, others[0]!];
  if (!PART_OF_NUMBER.test(end.text) || !PART_OF_NUMBER.test(start.text)) return false;
  // Nobody puts a blank before a comma.
  if (/[.,]/.test(start.text)) return /\d/.test(end.text);
  const steps = [some, others].flatMap((letters) =>
    letters.slice(1).flatMap(({ text, x }, at) => {
      const step = x - letters[at]!.x;
      return /\d/.test(text) && /\d/.test(letters[at]!.text) && step > TOUCHING ? [step] : [];
    }),
  );
  const usual = steps.toSorted((a, b) => a - b)[steps.length >> 1];
  return (
    usual !== undefined && start.x - end.x < usual * (/[.,]/.test(end.text) ? FURTHER_THAN_SIGN : FURTHER)
  );
}

/** The words of a line: parted where a space was read, and where nothing is printed. */
export function wordsOf(
  line: Line,
  { letters, ink, scale }: { letters: readonly Letter[]; ink: Float32Array; scale: number },
  limit: number,
): ScannedWord[] {
  const { gaps, from, to } = gapsIn(ink);
  // Where a blank was read, less will do.
  const blanks = letters.filter(({ text }) => text === ' ').map(({ at }) => at / scale);
  const wide = gaps.filter((gap) => {
    const width = gap.to - gap.from;
    return (
      width >= limit ||
      (width >= limit * LESS && blanks.some((at) => Math.abs(at - (gap.from + gap.to) / 2) < NEAR))
    );
  });
  const edges = [from, ...wide.flatMap((gap) => [gap.from, gap.to]), to];
  const groups: Group[] = [];
  for (let at = 0; at < edges.length; at += 2)
    groups.push({ letters: [], from: edges[at]!, to: edges[at + 1]! });
  for (const letter of letters) {
    if (letter.text === ' ') continue;
    const x = letter.at / scale;
    const near = groups.reduce((best, group) => (apart(group, x) < apart(best, x) ? group : best));
    near.letters.push(letter);
  }
  const whole: typeof groups = [];
  for (const group of groups) {
    const last = whole.at(-1);
    if (last && group.letters.length > 0 && isWithinNumber(last, group, ink, scale)) {
      last.letters.push(...group.letters);
      last.to = group.to;
    } else if (group.letters.length > 0) whole.push(group);
  }
  return whole.map((group) => {
    const [left, right] = [line.left + group.from * scale, line.left + group.to * scale];
    return {
      text: group.letters.map(({ text }) => text).join(''),
      left,
      right,
      ...bandOf(line, left, right),
      sure: Math.min(...group.letters.map(({ sure }) => sure)),
    };
  });
}

/** What stands in numbers, days and times. */
const PART_OF_NUMBER = /^[\d.,:/-]$/;
const apart = ({ from, to }: Gap, x: number): number => (x < from ? from - x : x > to ? x - to : 0);

import type { Level } from '../words/skew.ts';
import { levelOf } from '../words/skew.ts';
import type { Line } from './detect.ts';
import type { ScannedWord } from './words.ts';

/** Of the height of a line as it is found, half the height of the print in it, with what hangs below. */
const HALF = 0.43;
/** Lines that differ less in height are of one print: a line of figures seems lower than one with long letters. */
const ALIKE = 0.22;
/** A word that is higher than its line by this much is a part of the frame of a table, taken for one. */
const TOO_HIGH = 1.5;

/** The middle of a line at a place across the picture. */
export function middleOf({ left, curve: [a, b, c] }: Line, x: number): number {
  const along = x - left;
  return a + b * along + c * along * along;
}

/** Lines of which those that are of one print are equally high. */
export function evenHeights(lines: readonly Line[]): Line[] {
  const heights = lines.map(({ height }) => height).toSorted((a, b) => a - b);
  return lines.map((line) => {
    const alike = heights.filter((height) => Math.abs(height - line.height) < line.height * ALIKE);
    return { ...line, height: alike[alike.length >> 1] ?? line.height };
  });
}

/** How the lines of a picture lean; words far apart stand in one row where they would, were it level. */
export const levelOfLines = (lines: readonly Line[]): Level =>
  levelOf(
    lines
      .filter(({ left, right, height }) => right - left > height * 4)
      .map((line) => {
        const [long, x] = [line.right - line.left, (line.left + line.right) / 2];
        return { x, y: middleOf(line, x), slope: line.curve[1] + line.curve[2] * long, weight: long };
      }),
  );

/** Top and bottom of what stands in a line, between two places across the picture. */
export function bandOf(line: Line, left: number, right: number): { top: number; bottom: number } {
  const y = middleOf(line, (left + right) / 2);
  return { top: y - line.height * HALF, bottom: y + line.height * HALF };
}

/**
 * Words each as high as its line, for boxes that are drawn tightly around letters say nothing about the height of print.
 * What is too high for its line is left out; what stands in none stays as it is.
 */
export function inBands(words: readonly ScannedWord[], lines: readonly Line[]): ScannedWord[] {
  return words.flatMap((word) => {
    const x = (word.left + word.right) / 2;
    const y = (word.top + word.bottom) / 2;
    const across = lines.filter((line) => x >= line.left && x <= line.right);
    const over = across.filter(
      (line) => Math.abs(middleOf(line, x) - y) < Math.max(line.height, word.bottom - word.top) * 0.5,
    );
    if (over.some((line) => word.bottom - word.top > line.height * TOO_HIGH)) return [];
    const apart = (line: Line): number => Math.abs(middleOf(line, x) - y);
    const [home] = over.toSorted((a, b) => apart(a) - apart(b));
    return home && apart(home) < home.height * 0.45
      ? [{ ...word, ...bandOf(home, word.left, word.right) }]
      : [word];
  });
}

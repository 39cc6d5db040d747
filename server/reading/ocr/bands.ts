import type { PageSkew } from '../words/skew.ts';
import { fitSkew } from '../words/skew.ts';
import type { Line } from './detect.ts';
import type { ScannedWord } from './words.ts';

/** Half the height of the print with its descenders, as a share of the height of a detected line. */
const HALF_BAND = 0.43;
/**
 * Lines whose heights differ by less are of one print size: a line of figures seems lower than one with ascenders.
 */
const HEIGHT_TOLERANCE = 0.22;
/** A word higher than its line by this factor is part of a table frame. */
const FRAME_FACTOR = 1.5;

/** The vertical middle of a line at a horizontal position. */
export function middleOf({ left, curve: [a, b, c] }: Line, x: number): number {
  const offset = x - left;
  return a + b * offset + c * offset * offset;
}

/** Gives lines of one print size the same height, the median. */
export function equaliseHeights(lines: readonly Line[]): Line[] {
  const heights = lines.map(({ height }) => height).toSorted((a, b) => a - b);
  return lines.map((line) => {
    const similarHeights = heights.filter(
      (height) => Math.abs(height - line.height) < line.height * HEIGHT_TOLERANCE,
    );
    return { ...line, height: similarHeights[similarHeights.length >> 1] ?? line.height };
  });
}

/** The skew of a picture by its lines, which decides which distant words are in one row. */
export const skewOfLines = (lines: readonly Line[]): PageSkew =>
  fitSkew(
    lines
      .filter(({ left, right, height }) => right - left > height * 4)
      .map((line) => {
        const [length, x] = [line.right - line.left, (line.left + line.right) / 2];
        return { x, y: middleOf(line, x), slope: line.curve[1] + line.curve[2] * length, weight: length };
      }),
  );

/** Top and bottom of the print of a line between two horizontal positions. */
export function bandOf(line: Line, left: number, right: number): { top: number; bottom: number } {
  const y = middleOf(line, (left + right) / 2);
  return { top: y - line.height * HALF_BAND, bottom: y + line.height * HALF_BAND };
}

/**
 * Gives words the height of their line, since boxes drawn tightly around letters say nothing about the print size.
 * Removes words that are too high for their line; words outside of all lines stay as they are.
 */
export function snapToLines(words: readonly ScannedWord[], lines: readonly Line[]): ScannedWord[] {
  return words.flatMap((word) => {
    const x = (word.left + word.right) / 2;
    const y = (word.top + word.bottom) / 2;
    const linesAtX = lines.filter((line) => x >= line.left && x <= line.right);
    const candidates = linesAtX.filter(
      (line) => Math.abs(middleOf(line, x) - y) < Math.max(line.height, word.bottom - word.top) * 0.5,
    );
    if (candidates.some((line) => word.bottom - word.top > line.height * FRAME_FACTOR)) return [];
    const distance = (line: Line): number => Math.abs(middleOf(line, x) - y);
    const [nearest] = candidates.toSorted((a, b) => distance(a) - distance(b));
    return nearest && distance(nearest) < nearest.height * 0.45
      ? [{ ...word, ...bandOf(nearest, word.left, word.right) }]
      : [word];
  });
}

import type { Box, RecognisedPage } from '../contract.ts';
import { straighten } from './straighten.ts';

interface Bounds {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * A word and its position, in tenths of a point from the upper left corner of its page; on a scan, where it would be
 * if the lines were level.
 */
export interface Word extends Bounds {
  text: string;
  /** The original position on a skewed page; absent if it is the same. */
  original?: Bounds;
}

/** Words that belong together: a table cell, or text without a wide gap. */
export interface Cell {
  words: Word[];
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A line of cells. */
export interface Line {
  page: number;
  cells: Cell[];
  words: Word[];
  /** The cells, separated by tabs. */
  text: string;
  top: number;
  bottom: number;
}

export interface Layout {
  lines: Line[];
  /** Whether positions are real, so that boxes can be shown. */
  hasPositions: boolean;
  /** Whether pages are scans, which may be misread. */
  scanned?: boolean;
  /** The parsed content of a JSON file. */
  data?: unknown;
}

export const boundsOf = (words: readonly Bounds[]): Bounds => ({
  left: Math.min(...words.map(({ left }) => left)),
  top: Math.min(...words.map(({ top }) => top)),
  right: Math.max(...words.map(({ right }) => right)),
  bottom: Math.max(...words.map(({ bottom }) => bottom)),
});

export const cellOf = (words: Word[]): Cell => ({
  words,
  text: words.map(({ text }) => text).join(' '),
  ...boundsOf(words),
});

export function boxOf(layout: Layout, words: readonly Word[]): Box | null {
  if (!layout.hasPositions || words.length === 0) return null;
  const { left, top, right, bottom } = boundsOf(words.map((word) => word.original ?? word));
  return [left, top, right - left, bottom - top];
}

/** The words of a page with their boxes; null if there are none. */
export function wordsOf({ text, boxes, sure }: RecognisedPage): Word[] | null {
  if (!boxes || boxes.length === 0) return null;
  const rows: Word[][] = [];
  let boxOffset = 0;
  for (const line of text.split('\n')) {
    const words: Word[] = [];
    for (const [word] of line.matchAll(/\S+/g)) {
      const [left, top, width, height] = boxes.slice(boxOffset, boxOffset + 4);
      if (height === undefined) break;
      words.push({
        text: word.normalize('NFKC'),
        left: left!,
        top: top!,
        right: left! + width!,
        bottom: top! + height,
      });
      boxOffset += 4;
    }
    rows.push(words);
  }
  // Printed PDFs are level; scans seldom are.
  return sure ? straighten(rows) : rows.flat();
}

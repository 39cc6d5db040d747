import type { Box, RecognisedPage } from '../contract.ts';
import { levelled } from './levelled.ts';

interface Place {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * A word where it stands, in tenths of a point from the upper left corner of its page; on a page that was scanned or
 * photographed, where it would stand if the lines were level.
 */
export interface Word extends Place {
  text: string;
  /** Where it is seen on a page whose lines lean; absent where that is the same. */
  seen?: Place;
}

/** Words that belong together: what stands in a cell of a table, or on a line without a gap. */
export interface Cell {
  words: Word[];
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What stands side by side. */
export interface Line {
  page: number;
  cells: Cell[];
  words: Word[];
  /** Cells with a tab between. */
  text: string;
  top: number;
  bottom: number;
}

export interface Layout {
  lines: Line[];
  /** Whether places are those on a page, so that boxes can be shown. */
  placed: boolean;
  /** Whether pages were read as pictures, so that signs may be misread. */
  scanned?: boolean;
  /** For JSON: what was read of it. */
  data?: unknown;
}

export const around = (words: readonly Place[]): Place => ({
  left: Math.min(...words.map(({ left }) => left)),
  top: Math.min(...words.map(({ top }) => top)),
  right: Math.max(...words.map(({ right }) => right)),
  bottom: Math.max(...words.map(({ bottom }) => bottom)),
});

export const cellOf = (words: Word[]): Cell => ({
  words,
  text: words.map(({ text }) => text).join(' '),
  ...around(words),
});

export function boxOf(layout: Layout, words: readonly Word[]): Box | null {
  if (!layout.placed || words.length === 0) return null;
  const { left, top, right, bottom } = around(words.map((word) => word.seen ?? word));
  return [left, top, right - left, bottom - top];
}

/** The words of a page with their boxes; null where there are none. */
export function wordsOf({ text, boxes, sure }: RecognisedPage): Word[] | null {
  if (!boxes || boxes.length === 0) return null;
  const rows: Word[][] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    const words: Word[] = [];
    for (const [word] of line.matchAll(/\S+/g)) {
      const [left, top, width, height] = boxes.slice(at, at + 4);
      if (height === undefined) break;
      words.push({
        text: word.normalize('NFKC'),
        left: left!,
        top: top!,
        right: left! + width!,
        bottom: top! + height,
      });
      at += 4;
    }
    rows.push(words);
  }
  // Print is level; what was laid on the glass of a scanner seldom is.
  return sure ? levelled(rows) : rows.flat();
}

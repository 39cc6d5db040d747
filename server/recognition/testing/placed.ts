import type { RecognisedPage } from '../contract.ts';

/** A cell of a page: its left end in tenths of a point, and its text. */
export type PlacedCell = readonly [left: number, text: string];

/** The width of a character, the height of a line and of a table row. */
const [CHARACTER, HEIGHT, ROW] = [50, 90, 170];
/** The distance of lines within a cell. */
export const LINE = 100;

/** A page of a printed table, with positions: each row has its cells, and perhaps its distance from the row before. */
export function placedPage(
  rows: readonly { cells: readonly PlacedCell[]; after?: number }[],
): RecognisedPage {
  const boxes: number[] = [];
  let top = 0;
  for (const { cells, after = ROW } of rows) {
    top += after;
    for (const [left, text] of cells)
      for (const { 0: word, index } of text.matchAll(/\S+/g))
        boxes.push(left + index * CHARACTER, top, word.length * CHARACTER, HEIGHT);
  }
  const text = rows.map(({ cells }) => cells.map(([, words]) => words).join(' ')).join('\n');
  return { page: 1, label: '', text, boxes };
}

/** Cells whose texts are centred in columns of this width. */
export const centred = (width: number, ...texts: string[]): PlacedCell[] =>
  texts.map((text, column) => [column * width + (width - text.length * CHARACTER) / 2, text]);

/** Cells at the left of such columns, without empty ones. */
export const leftAligned = (width: number, ...texts: string[]): PlacedCell[] =>
  texts.flatMap((text, column) => (text ? [[column * width + 20, text] as const] : []));

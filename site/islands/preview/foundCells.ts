import type { SheetView } from '#server/previews/contract.ts';
import type { TextMatch } from '../../lib/driveLocation.ts';
import type { Place } from './cells.ts';
import { textOf } from './cells.ts';
import { fold } from './find.ts';

/** The cells of a spreadsheet that match words. */
export interface FoundCells {
  /** The sheet, from 0. */
  sheet: number;
  /** The first matching cell in the row with the most of the words. */
  place: Place;
  /** All matching cells of that sheet, as `row column`. */
  cells: ReadonlySet<string>;
}

/** @returns null if no shown cell matches. */
export function foundCells(sheets: readonly SheetView[], { page, words }: TextMatch): FoundCells | null {
  const wanted = words.map((word) => fold(word.trim())).filter((word) => word !== '');
  const named = sheets.findIndex(({ number }, index) => (number ?? index + 1) === page);
  // First the sheet of the text match; the others if it is hidden, or has the words only below the shown rows.
  const order = [...sheets.keys()].toSorted((a, b) => Number(b === named) - Number(a === named));
  for (const index of order) {
    const cells = new Set<string>();
    let [best, most] = [null as Place | null, 0];
    for (const [row, values] of sheets[index]!.rows.entries()) {
      const wordsOfSheet = new Set<string>();
      let first: number | null = null;
      for (const [column, cell] of values.entries()) {
        const text = fold(textOf(cell));
        const wordsOfCell = text === '' ? [] : wanted.filter((word) => text.includes(word));
        if (wordsOfCell.length === 0) continue;
        cells.add(`${row} ${column}`);
        first ??= column;
        for (const word of wordsOfCell) wordsOfSheet.add(word);
      }
      if (first !== null && wordsOfSheet.size > most)
        [best, most] = [{ row, column: first }, wordsOfSheet.size];
    }
    if (best) return { sheet: index, place: best, cells };
  }
  return null;
}

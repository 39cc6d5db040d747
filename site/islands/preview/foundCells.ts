import type { SheetView } from '#server/previews/contract.ts';
import type { TextMatch } from '../../lib/driveLocation.ts';
import type { Place } from './cells.ts';
import { textOf } from './cells.ts';
import { fold } from './find.ts';

/** Where in a table words were found. */
export interface FoundCells {
  /** The sheet, from 0. */
  sheet: number;
  /** In the row in which most of the words stand, the first that has one. */
  place: Place;
  /** Cells of that sheet that have one of the words, as `row column`. */
  cells: ReadonlySet<string>;
}

/** @returns null when none of the words stands in what is shown. */
export function foundCells(sheets: readonly SheetView[], { page, words }: TextMatch): FoundCells | null {
  const wanted = words.map((word) => fold(word.trim())).filter((word) => word !== '');
  const named = sheets.findIndex(({ number }, at) => (number ?? at + 1) === page);
  // The sheet that was named, and the others where it is hidden or has the words only further down than is shown.
  const order = [...sheets.keys()].toSorted((a, b) => Number(b === named) - Number(a === named));
  for (const at of order) {
    const cells = new Set<string>();
    let [best, most] = [null as Place | null, 0];
    for (const [row, values] of sheets[at]!.rows.entries()) {
      const here = new Set<string>();
      let first: number | null = null;
      for (const [column, cell] of values.entries()) {
        const text = fold(textOf(cell));
        const some = text === '' ? [] : wanted.filter((word) => text.includes(word));
        if (some.length === 0) continue;
        cells.add(`${row} ${column}`);
        first ??= column;
        for (const word of some) here.add(word);
      }
      if (first !== null && here.size > most) [best, most] = [{ row, column: first }, here.size];
    }
    if (best) return { sheet: at, place: best, cells };
  }
  return null;
}

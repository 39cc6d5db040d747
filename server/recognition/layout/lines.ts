import type { RecognisedPage } from '../contract.ts';
import { cellsOfText } from './plain.ts';
import type { Cell, Line, Word } from './page.ts';
import { boundsOf, cellOf, wordsOf } from './page.ts';

/** A wider gap, as a share of the line height, separates two cells. */
const GAP = 0.72;
/** Words of one line differ in height by at most this share. */
const RISE = 0.45;

const middle = ({ top, bottom }: Word | Cell): number => (top + bottom) / 2;

function lineOf(page: number, cells: Cell[]): Line {
  const { top, bottom } = boundsOf(cells.flatMap(({ words }) => words));
  const text = cells.map((cell) => cell.text).join('\t');
  return { page, cells, words: cells.flatMap(({ words }) => words), text, top, bottom };
}

/** Monospaced print has wide blanks: a cell ends at a gap wider than those between words by this factor. */
const WIDER = 1.5;
/** The widest gap between words as a share of the line height, and how many gaps are needed to judge. */
const [BETWEEN_WORDS, ENOUGH] = [1, 12];

/** The cell gap of a scan, whose boxes are tight around letters, as a share of the line height. */
function gapOf(rows: readonly Word[][]): number {
  const gaps = rows.flatMap((words) =>
    words.slice(1).flatMap((word, index) => {
      const gap = (word.left - words[index]!.right) / Math.max(1, word.bottom - word.top);
      return gap > 0 && gap < BETWEEN_WORDS ? [gap] : [];
    }),
  );
  const usual = gaps.length < ENOUGH ? 0 : gaps.toSorted((a, b) => a - b)[gaps.length >> 1]!;
  return Math.max(GAP, usual * WIDER);
}

/** After an amount a smaller gap separates cells, since the next column's label may be close. */
const AFTER_SUM = 0.45;
const SUM = /\d\.\d\d$/;
const LABEL = /^\p{L}{3}/u;

/** Splits the words of a line into cells at wide gaps. */
function cellsOf(words: Word[], gap: number): Cell[] {
  const cells: Word[][] = [];
  let last: Word | undefined;
  for (const word of words) {
    const height = Math.min(word.bottom - word.top, last ? last.bottom - last.top : Infinity);
    const widest = last && SUM.test(last.text) && LABEL.test(word.text) ? Math.min(gap, AFTER_SUM) : gap;
    if (last && word.left - last.right <= height * widest) cells.at(-1)!.push(word);
    else cells.push([word]);
    last = word;
  }
  return cells.map(cellOf);
}

function placedLines(page: number, words: Word[], scanned: boolean): Line[] {
  const rows: { words: Word[]; middle: number; height: number }[] = [];
  for (const word of words.toSorted((a, b) => middle(a) - middle(b) || a.left - b.left)) {
    const height = word.bottom - word.top;
    const wordMiddle = middle(word);
    const row = rows.findLast((row) => Math.abs(row.middle - wordMiddle) <= Math.max(height, 1) * 2);
    const isNear = row && Math.abs(row.middle - wordMiddle) <= Math.min(height, row.height) * RISE;
    if (row && isNear) {
      row.words.push(word);
      row.middle += (wordMiddle - row.middle) / row.words.length;
    } else rows.push({ words: [word], middle: wordMiddle, height });
  }
  const ordered = rows.map((row) => row.words.toSorted((a, b) => a.left - b.left));
  const gap = scanned ? gapOf(ordered) : GAP;
  return ordered.map((row) => lineOf(page, cellsOf(row, gap)));
}

/** A longer run without a blank is encoded data. In it some letters look like identifiers, each of which would quote all of it. */
const WORD_MAX = 2000;
const isReadable = ({ words }: Cell): boolean => words.every(({ text }) => text.length <= WORD_MAX);

/** The lines of a page from top to bottom, each with its cells. */
export function linesOf(page: RecognisedPage, fileType: string): Line[] {
  const words = wordsOf(page);
  if (words) return placedLines(page.page, words, page.sure !== undefined);
  return cellsOfText(page.text, fileType)
    .map((cells) => cells.filter(isReadable))
    .filter((cells) => cells.length > 0)
    .map((cells) => lineOf(page.page, cells));
}

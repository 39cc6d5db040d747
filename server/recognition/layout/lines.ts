import type { RecognisedPage } from '../contract.ts';
import { cellsOfText } from './plain.ts';
import type { Cell, Line, Word } from './page.ts';
import { around, cellOf, wordsOf } from './page.ts';

/** A gap wider than this share of a line's height parts two cells. */
const GAP = 0.72;
/** Words of one line stand at the same height, but for this share of it. */
const RISE = 0.45;

const middle = ({ top, bottom }: Word | Cell): number => (top + bottom) / 2;

function lineOf(page: number, cells: Cell[]): Line {
  const { top, bottom } = around(cells.flatMap(({ words }) => words));
  const text = cells.map((cell) => cell.text).join('\t');
  return { page, cells, words: cells.flatMap(({ words }) => words), text, top, bottom };
}

/** Of print with letters of one width blanks are wide; a cell ends where a gap is so much wider than those between words. */
const WIDER = 1.5;
/** Gaps that may stand between words, as a share of a line's height; fewer of them say nothing. */
const [BETWEEN_WORDS, ENOUGH] = [1, 12];

/** The gap that parts two cells of a scan, whose boxes end where letters do; as a share of a line's height. */
function gapOf(rows: readonly Word[][]): number {
  const gaps = rows.flatMap((words) =>
    words.slice(1).flatMap((word, at) => {
      const gap = (word.left - words[at]!.right) / Math.max(1, word.bottom - word.top);
      return gap > 0 && gap < BETWEEN_WORDS ? [gap] : [];
    }),
  );
  const usual = gaps.length < ENOUGH ? 0 : gaps.toSorted((a, b) => a - b)[gaps.length >> 1]!;
  return Math.max(GAP, usual * WIDER);
}

/** A sum and the label of the column beside it may stand close: a smaller gap parts them. */
const AFTER_SUM = 0.45;
const SUM = /\d\.\d\d$/;
const LABEL = /^\p{L}{3}/u;

/** Words that stand side by side, from left to right, parted where the gap is wide. */
function cellsOf(words: Word[], gap: number): Cell[] {
  const cells: Word[][] = [];
  let last: Word | undefined;
  for (const word of words) {
    const height = Math.min(word.bottom - word.top, last ? last.bottom - last.top : Infinity);
    const ends = last && SUM.test(last.text) && LABEL.test(word.text) ? Math.min(gap, AFTER_SUM) : gap;
    if (last && word.left - last.right <= height * ends) cells.at(-1)!.push(word);
    else cells.push([word]);
    last = word;
  }
  return cells.map(cellOf);
}

function placedLines(page: number, words: Word[], scanned: boolean): Line[] {
  const rows: { words: Word[]; at: number; height: number }[] = [];
  for (const word of words.toSorted((a, b) => middle(a) - middle(b) || a.left - b.left)) {
    const height = word.bottom - word.top;
    const row = rows.findLast(({ at }) => Math.abs(at - middle(word)) <= Math.max(height, 1) * 2);
    const near = row && Math.abs(row.at - middle(word)) <= Math.min(height, row.height) * RISE;
    if (row && near) {
      row.words.push(word);
      row.at += (middle(word) - row.at) / row.words.length;
    } else rows.push({ words: [word], at: middle(word), height });
  }
  const ordered = rows.map((row) => row.words.toSorted((a, b) => a.left - b.left));
  const gap = scanned ? gapOf(ordered) : GAP;
  return ordered.map((row) => lineOf(page, cellsOf(row, gap)));
}

/** The lines of a page from top to bottom, each with its cells. */
export function linesOf(page: RecognisedPage, fileType: string): Line[] {
  const words = wordsOf(page);
  if (words) return placedLines(page.page, words, page.sure !== undefined);
  return cellsOfText(page.text, fileType)
    .filter((cells) => cells.length > 0)
    .map((cells) => lineOf(page.page, cells));
}

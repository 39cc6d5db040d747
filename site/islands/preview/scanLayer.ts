import type { ScanWordsPage } from '#server/reading/contract.ts';
import { wordsOf } from './scanWords.ts';

/** Of a word's box, which has room above and below the letters. */
const LETTERS = 0.86;
const TENTHS = 10;

let paper: CanvasRenderingContext2D | null | undefined;
const widthOf = (text: string, size: number): number => {
  paper ??= document.createElement('canvas').getContext('2d');
  if (!paper) return text.length * size * 0.5;
  paper.font = `${size}px sans-serif`;
  return paper.measureText(text).width;
};

/** As many pieces of text as a scanned page has words: as those that the layer of a page draws. */
export const scanPieces = (page: ScanWordsPage): string[] => wordsOf(page).map(({ text }) => `${text} `);

/**
 * Lays what was read of a scan over its picture, without ink, as the text of another page lies over it: it can be marked,
 * selected and copied.
 * @param size of the page in points.
 */
export function layScan(
  container: HTMLElement,
  page: ScanWordsPage,
  size: { width: number; height: number },
): HTMLElement[] {
  const words = wordsOf(page);
  const pieces = scanPieces(page);
  const spans = words.map(({ text, box: [left, top, width, height] }, at) => {
    const span = document.createElement('span');
    const letters = (height / TENTHS) * LETTERS;
    span.textContent = pieces[at] ?? text;
    span.style.left = `${(left / TENTHS / size.width) * 100}%`;
    span.style.top = `${((top + (height * (1 - LETTERS)) / 2) / TENTHS / size.height) * 100}%`;
    span.style.fontFamily = 'sans-serif';
    span.style.setProperty('--font-height', `${letters.toFixed(2)}px`);
    span.style.setProperty('--scale-x', (width / TENTHS / Math.max(1, widthOf(text, letters))).toFixed(3));
    return span;
  });
  container.replaceChildren(...spans);
  return spans;
}

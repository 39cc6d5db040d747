import type { ScanWordsPage } from '#server/reading/contract.ts';
import { wordsOf } from './scanWords.ts';

/** The font size as a share of a word's box, which has space above and below the letters. */
const LETTERS = 0.86;
const TENTHS = 10;

let paper: CanvasRenderingContext2D | null | undefined;
const widthOf = (text: string, size: number): number => {
  paper ??= document.createElement('canvas').getContext('2d');
  if (!paper) return text.length * size * 0.5;
  paper.font = `${size}px sans-serif`;
  return paper.measureText(text).width;
};

/** The text pieces of a scanned page, one per word, as the text layer renders them. */
export const scanPieces = (page: ScanWordsPage): string[] => wordsOf(page).map(({ text }) => `${text} `);

/**
 * Renders the OCR text of a scanned page as a transparent text layer over its picture, so that it can be highlighted,
 * selected and copied.
 * @param size the page's size in points.
 */
export function layScan(
  container: HTMLElement,
  page: ScanWordsPage,
  size: { width: number; height: number },
): HTMLElement[] {
  const words = wordsOf(page);
  const pieces = scanPieces(page);
  const spans = words.map(({ text, box: [left, top, width, height] }, index) => {
    const span = document.createElement('span');
    const letters = (height / TENTHS) * LETTERS;
    span.textContent = pieces[index] ?? text;
    span.style.left = `${(left / TENTHS / size.width) * 100}%`;
    span.style.top = `${((top + (height * (1 - LETTERS)) / 2) / TENTHS / size.height) * 100}%`;
    span.style.fontFamily = 'sans-serif';
    span.style.setProperty('--font-height', `${letters.toFixed(2)}px`);
    span.style.setProperty('--scale-x', (width / TENTHS / Math.max(1, widthOf(text, letters))).toFixed(3));
    return span;
  });
  // The words are placed as the page is seen, while pdf.js places its text as on the page before the file rotates it.
  delete container.dataset['mainRotation'];
  Object.assign(container.style, { width: '100%', height: '100%' });
  container.replaceChildren(...spans);
  return spans;
}

import type { Pdf } from './pdf.ts';
import { scanPieces } from './scanLayer.ts';
import type { ScanText } from './scanWords.ts';

const read = new WeakMap<Pdf, Promise<string[][]>>();

/** The text pieces of every page, extracted once per document; for a scanned page its OCR text. */
export function readTexts(pdf: Pdf, scanText: ScanText): Promise<string[][]> {
  const reading = read.get(pdf) ?? readAll(pdf, scanText);
  read.set(pdf, reading);
  return reading;
}

/** With fewer letters than this a page counts as scanned (the text is only a stamp), as in the server's reading. */
const LETTERS = /[\p{L}\p{Nd}](?:[^\p{L}\p{Nd}]*[\p{L}\p{Nd}]){2}/u;
export const isText = (pieces: readonly string[]): boolean => LETTERS.test(pieces.join(''));

async function readPage(pdf: Pdf, number: number): Promise<string[]> {
  const { items } = await (await pdf.getPage(number)).getTextContent();
  return items.flatMap((item) => ('str' in item ? [item.str] : []));
}

async function readAll(pdf: Pdf, scanText: ScanText): Promise<string[][]> {
  const pages: string[][] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    // A damaged page is blank, and has no text.
    pages.push(await readPage(pdf, number).catch(() => []));
  }
  if (pages.every(isText)) return pages;
  const scanned = await scanText().catch((): Awaited<ReturnType<ScanText>> => new Map());
  return pages.map((pieces, index) => {
    const scan = isText(pieces) ? undefined : scanned.get(index + 1);
    return scan ? scanPieces(scan) : pieces;
  });
}

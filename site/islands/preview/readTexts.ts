import type { Pdf } from './pdf.ts';

const read = new WeakMap<Pdf, Promise<string[][]>>();

/** The pieces of text of every page, read once for each document. */
export function readTexts(pdf: Pdf): Promise<string[][]> {
  const reading = read.get(pdf) ?? readAll(pdf);
  read.set(pdf, reading);
  return reading;
}

async function readAll(pdf: Pdf): Promise<string[][]> {
  const pages: string[][] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    pages.push(items.flatMap((item) => ('str' in item ? [item.str] : [])));
  }
  return pages;
}

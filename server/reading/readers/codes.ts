import type { Recognised } from '#server/recognition/contract.ts';
import { DOCUMENT_TYPES } from '#server/recognition/contract.ts';
import type { FileText, PageText } from './contract.ts';

/** Pages of a PDF that are looked at for codes: the first ones that speak of an e-invoice. */
const PAGES = 5;
/** Dots per inch: a code of 5 cm has up to 177 squares in a row. */
const DOTS = 200;
/** Pixels along the longer side. */
const SIDE_MAX = 4000;
const SPEAKS = /\bIRN\b|e-?\s?invoice|\back(?:nowledge?ment)?\.?\s*(?:no|date)|[0-9a-f]{64}/i;

/** Whether a page may bear the code of an e-invoice: the others are not drawn, which takes longer than reading them. */
function mayBear(page: PageText, at: number, isTrade: boolean): boolean {
  return page.text !== '' && page.sure === undefined && ((isTrade && at === 0) || SPEAKS.test(page.text));
}

/** A PDF with the codes of e-invoices on its pages with text. @param password that opens it. */
export async function withPdfCodes(
  file: FileText,
  bytes: Uint8Array,
  { type }: Pick<Recognised, 'type'>,
  password: string,
): Promise<FileText | null> {
  const isTrade =
    type !== null &&
    Object.hasOwn(DOCUMENT_TYPES, type) &&
    DOCUMENT_TYPES[type as keyof typeof DOCUMENT_TYPES].group === 'trade';
  const wanted = file.pages.filter((page, at) => mayBear(page, at, isTrade)).slice(0, PAGES);
  if (wanted.length === 0) return null;
  const [{ openPdf }, { codesOn }] = await Promise.all([import('../pdfium.ts'), import('../codes.ts')]);
  const pdf = await openPdf(bytes, ['', password]);
  const found = new Map<number, PageText>();
  try {
    for (const page of wanted) {
      const size = pdf.sizeOf(page.page);
      const longest = Math.max(size.width, size.height);
      if (!(longest > 0)) continue;
      const scale = Math.min(DOTS / 72, SIDE_MAX / longest);
      const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * scale)));
      const raster = { data: pdf.grey(page.page, width!, height!), width: width!, height: height! };
      const codes = await codesOn(raster, 10 / scale);
      if (codes.length > 0) found.set(page.page, { ...page, codes });
    }
  } finally {
    pdf.close();
  }
  if (found.size === 0) return null;
  return { ...file, pages: file.pages.map((page) => found.get(page.page) ?? page) };
}

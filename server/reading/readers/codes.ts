import type { Recognised } from '#server/recognition/contract.ts';
import { DOCUMENT_TYPES } from '#server/recognition/contract.ts';
import type { FileText, PageText } from './contract.ts';

/** Pages of a PDF searched for codes: the first ones that mention an e-invoice. */
const PAGES_MAX = 5;
/** Resolution: a code of 5 cm has up to 177 modules in a row. */
const DOTS_PER_INCH = 200;
/** Pixels along the longer side. */
const SIDE_MAX = 4000;
const MENTIONS_E_INVOICE = /\bIRN\b|e-?\s?invoice|\back(?:nowledge?ment)?\.?\s*(?:no|date)|[0-9a-f]{64}/i;

/**
 * Whether a page may have the code of an e-invoice. Others are not rendered, which takes longer than reading them.
 */
function mayHaveCode(page: PageText, index: number, isTrade: boolean): boolean {
  return (
    page.text !== '' &&
    page.sure === undefined &&
    ((isTrade && index === 0) || MENTIONS_E_INVOICE.test(page.text))
  );
}

/**
 * Adds the QR codes of e-invoices to the pages of a PDF; null where there are none.
 * @param password the one that opens it.
 */
export async function addQrCodes(
  file: FileText,
  bytes: Uint8Array,
  { type }: Pick<Recognised, 'type'>,
  password: string,
): Promise<FileText | null> {
  const isTrade =
    type !== null &&
    Object.hasOwn(DOCUMENT_TYPES, type) &&
    DOCUMENT_TYPES[type as keyof typeof DOCUMENT_TYPES].group === 'trade';
  const candidates = file.pages
    .filter((page, index) => mayHaveCode(page, index, isTrade))
    .slice(0, PAGES_MAX);
  if (candidates.length === 0) return null;
  const [{ openPdf }, { readQrCodes }] = await Promise.all([import('../pdfium.ts'), import('../codes.ts')]);
  const pdf = await openPdf(bytes, ['', password]);
  const codedPages = new Map<number, PageText>();
  try {
    for (const page of candidates) {
      const size = pdf.sizeOf(page.page);
      const longest = Math.max(size.width, size.height);
      if (!(longest > 0)) continue;
      const scale = Math.min(DOTS_PER_INCH / 72, SIDE_MAX / longest);
      const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * scale)));
      const raster = { data: pdf.grey(page.page, width!, height!), width: width!, height: height! };
      const codes = await readQrCodes(raster, 10 / scale);
      if (codes.length > 0) codedPages.set(page.page, { ...page, codes });
    }
  } finally {
    pdf.close();
  }
  if (codedPages.size === 0) return null;
  return { ...file, pages: file.pages.map((page) => codedPages.get(page.page) ?? page) };
}

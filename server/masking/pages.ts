import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { openPdf as openPdfium } from '#server/reading/pdfium.ts';
import { openWithPdfJs } from '#server/sandbox/pdf-js.ts';
import type { PageWords } from './numbers.ts';

/**
 * What the pages of a PDF show as a new PDF: what is judged, covered and served is this one document, so that nothing
 * that was not judged is served. @returns null for a file with more pages.
 */
export async function drawnPdf(
  bytes: Uint8Array,
  password: string | undefined,
  pagesMax: number,
): Promise<Uint8Array | null> {
  const pdf = await openPdfium(bytes, ['', password ?? '']);
  try {
    return pdf.pages > pagesMax ? null : pdf.drawn();
  } finally {
    pdf.close();
  }
}

/** An open file, read page by page. */
export interface Opened {
  pages: number;
  /** The longer side of a page as shown, in points; null for a picture, which counts as A4. @param page from 1. */
  longest(page: number): Promise<number | null>;
  /** The text of a page with the box of each character; null where there is none. */
  textOf(page: number): PageWords | null;
  /** Whether a page has a picture large enough to show a number. */
  hasPicture(page: number): Promise<boolean>;
  close(): Promise<void>;
}

/** In a smaller picture, in pixels, twelve digits are illegible. */
const [WIDE, HIGH] = [240, 120];

async function hasLargePicture(page: PDFPageProxy): Promise<boolean> {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const drawsNamed = new Set([OPS.paintImageXObject, OPS.paintImageXObjectRepeat]);
  const within = new Set([
    OPS.paintInlineImageXObject,
    OPS.paintInlineImageXObjectGroup,
    OPS.paintImageMaskXObject,
    OPS.paintImageMaskXObjectGroup,
    OPS.paintImageMaskXObjectRepeat,
  ]);
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray.some((name, index) => {
    const args = argsArray[index] as unknown[];
    const [width, height] = drawsNamed.has(name)
      ? [Number(args[1]), Number(args[2])]
      : [
          Number((args?.[0] as { width?: number })?.width),
          Number((args?.[0] as { height?: number })?.height),
        ];
    if (!drawsNamed.has(name) && !within.has(name)) return false;
    // A picture of unknown size counts.
    return !(width < WIDE || height < HIGH);
  });
}

async function openPdf(bytes: Uint8Array): Promise<Opened> {
  const loading = await openWithPdfJs(bytes);
  const pdf = await loading.promise;
  const pdfium = await openPdfium(bytes);
  return {
    pages: pdf.numPages,
    textOf(number) {
      const { text, boxes: characters } = pdfium.characters(number);
      return text.trim() === '' ? null : { text, boxes: [], characters };
    },
    async longest(number) {
      const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
      return Math.max(width, height);
    },
    hasPicture: async (number) => hasLargePicture(await pdf.getPage(number)),
    close() {
      pdfium.close();
      return loading.destroy();
    },
  };
}

/** Opens a PDF without a password, or a picture. @param pages the number of pages of a picture file. */
export const openFile = (bytes: Uint8Array, fileType: string, pages: number): Promise<Opened> =>
  fileType === 'pdf'
    ? openPdf(bytes)
    : Promise.resolve({
        pages,
        longest: async () => null,
        textOf: () => null,
        hasPicture: async () => true,
        close: async () => {},
      });

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { openPdf as openWritten } from '#server/reading/pdfium.ts';
import type { PageWords } from './numbers.ts';

/** A file that is open, page by page. */
export interface Opened {
  pages: number;
  /** Of a page as it is shown, from 1, in points; null for a picture, which counts as a page of A4. */
  longest(page: number): Promise<number | null>;
  /** The text of a page with the place of each sign; null where there is none. */
  written(page: number): PageWords | null;
  /** Whether it holds a picture in which a number could be read. */
  hasPicture(page: number): Promise<boolean>;
  close(): Promise<void>;
}

/** Pixels; in a smaller picture nobody reads twelve digits. */
const [WIDE, HIGH] = [240, 120];

async function picturesOf(page: PDFPageProxy): Promise<boolean> {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const named = new Set([OPS.paintImageXObject, OPS.paintImageXObjectRepeat]);
  const within = new Set([
    OPS.paintInlineImageXObject,
    OPS.paintInlineImageXObjectGroup,
    OPS.paintImageMaskXObject,
    OPS.paintImageMaskXObjectGroup,
    OPS.paintImageMaskXObjectRepeat,
  ]);
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray.some((name, at) => {
    const args = argsArray[at] as unknown[];
    const [width, height] = named.has(name)
      ? [Number(args[1]), Number(args[2])]
      : [
          Number((args?.[0] as { width?: number })?.width),
          Number((args?.[0] as { height?: number })?.height),
        ];
    if (!named.has(name) && !within.has(name)) return false;
    // Of one whose size is not told, nothing is known.
    return !(width < WIDE || height < HIGH);
  });
}

async function openPdf(bytes: Uint8Array, password: string | undefined): Promise<Opened> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const loading = getDocument({
    // It takes the bytes it is given for itself.
    data: new Uint8Array(bytes),
    ...(password !== undefined && { password }),
    standardFontDataUrl: `${join(root, 'standard_fonts')}/`,
    cMapUrl: `${join(root, 'cmaps')}/`,
    wasmUrl: `${join(root, 'wasm')}/`,
    verbosity: 0,
  });
  const pdf = await loading.promise;
  const pdfium = await openWritten(bytes, ['', password ?? '']);
  return {
    pages: pdf.numPages,
    written(number) {
      const { text, boxes: signs } = pdfium.characters(number);
      return text.trim() === '' ? null : { text, boxes: [], signs };
    },
    async longest(number) {
      const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
      return Math.max(width, height);
    },
    hasPicture: async (number) => picturesOf(await pdf.getPage(number)),
    close() {
      pdfium.close();
      return loading.destroy();
    },
  };
}

/** Opens a PDF or a picture. @param pages how many the reading has found in a picture. */
export const openFile = (
  bytes: Uint8Array,
  fileType: string,
  { password, pages }: { password?: string | undefined; pages: number },
): Promise<Opened> =>
  fileType === 'pdf'
    ? openPdf(bytes, password)
    : Promise.resolve({
        pages,
        longest: async () => null,
        written: () => null,
        hasPicture: async () => true,
        close: async () => {},
      });

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { PDFDocumentLoadingTask } from 'pdfjs-dist/legacy/build/pdf.mjs';

interface PdfOptions {
  password?: string | undefined;
  /** In pixels: pdf.js omits a larger picture silently, which leaves the page blank. */
  maxImageSize?: number;
}

/** Starts to open a PDF with pdf.js, its standard fonts, character maps and image decoders. */
export async function openWithPdfJs(
  bytes: Uint8Array,
  { password, ...options }: PdfOptions = {},
): Promise<PDFDocumentLoadingTask> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  return getDocument({
    // pdf.js takes ownership of the bytes.
    data: new Uint8Array(bytes),
    ...(password !== undefined && { password }),
    standardFontDataUrl: `${join(root, 'standard_fonts')}/`,
    cMapUrl: `${join(root, 'cmaps')}/`,
    wasmUrl: `${join(root, 'wasm')}/`,
    verbosity: 0,
    ...options,
  });
}

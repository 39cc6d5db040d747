import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { isPdf } from '#server/pdf/is-pdf.ts';

/** `FPDF_ERR_PASSWORD`. */
const NEEDS_PASSWORD = 4;
const GREY = 1;
/** `FPDF_ANNOT`: render comments and stamps too, as a printer does. */
const WITH_ANNOTATIONS = 0x01;
const WITHOUT_SECURITY = 3;
/** `FLAT_NORMALDISPLAY` and `FLATTEN_FAIL`. */
const [AS_SHOWN, FLATTEN_FAILED] = [0, 0];
const WHITE = 0xffffffff;
const TENTHS = 10;

export class PdfLocked extends Error {}

/** An open document. */
interface OpenPdf {
  pages: number;
  /** The size of a page as shown, in points. @param page from 1. @throws for a damaged page. */
  sizeOf(page: number): { width: number; height: number };
  /** Renders a page in shades of grey, one byte per pixel. */
  grey(page: number, width: number, height: number): Uint8Array;
  /**
   * The characters of a page's text, one UTF-16 unit each, with their boxes on the page as shown: left, top, right
   * and bottom in tenths of a point; null for a blank that PDFium generated.
   */
  characters(page: number): { text: string; boxes: ([number, number, number, number] | null)[] };
  /** A copy without the password. */
  unlocked(): Uint8Array;
  /**
   * A new document of what the pages show, without the password. Annotations become part of the page as they are
   * drawn; what is not drawn is left out: comments, links, attached files, metadata, scripts, bookmarks and tags.
   */
  drawn(): Uint8Array;
  close(): void;
}

let loading: Promise<WrappedPdfiumModule> | undefined;

async function load(): Promise<WrappedPdfiumModule> {
  const { init } = await import('@embedpdf/pdfium');
  const file = await readFile(fileURLToPath(import.meta.resolve('@embedpdf/pdfium/pdfium.wasm')));
  const module = await init({ wasmBinary: new Uint8Array(file).buffer });
  module.PDFiumExt_Init();
  return module;
}

/**
 * Opens a PDF with the first password that fits.
 * @returns also the index of that password.
 * @throws {PdfLocked} when none fits; another error for a damaged file, and for an archive, of which PDFium opens a PDF within.
 */
export async function openPdf(
  bytes: Uint8Array,
  passwords: readonly string[] = [''],
): Promise<OpenPdf & { password: number }> {
  if (!isPdf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 'pdf'))
    throw new Error('It is no PDF.');
  const module = await (loading ??= load());
  const { wasmExports, setValue, getValue } = module.pdfium;
  // WebAssembly memory may be replaced when it grows: never keep a view of it.
  const memory = () =>
    new Uint8Array((wasmExports as unknown as { memory: { buffer: ArrayBuffer } }).memory.buffer);
  const file = wasmExports.malloc(Math.max(1, bytes.length));
  memory().set(bytes, file);
  let document = 0;
  let locked = false;
  const password = passwords.findIndex((password) => {
    document = module.FPDF_LoadMemDocument(file, bytes.length, password);
    if (document === 0) locked ||= module.FPDF_GetLastError() === NEEDS_PASSWORD;
    return document !== 0;
  });
  if (document === 0) {
    wasmExports.free(file);
    if (locked) throw new PdfLocked('It opens with another password.');
    throw new Error('It is no PDF that opens.');
  }

  function withPage<T>(number: number, work: (page: number) => T): T {
    const page = module.FPDF_LoadPage(document, number - 1);
    if (page === 0) throw new Error(`Page ${number} is damaged.`);
    try {
      return work(page);
    } finally {
      module.FPDF_ClosePage(page);
    }
  }

  function saved(document: number, flags: number): Uint8Array {
    const parts: Uint8Array[] = [];
    const write = module.pdfium.addFunction((_self: number, data: number, size: number) => {
      parts.push(memory().slice(data, data + size));
      return 1;
    }, 'iiii');
    // A `FPDF_FILEWRITE`: the version, then the function called with each block.
    const writer = wasmExports.malloc(8);
    try {
      setValue(writer, 1, 'i32');
      setValue(writer + 4, write, 'i32');
      if (getValue(writer, 'i32') !== 1 || !module.FPDF_SaveAsCopy(document, writer, flags))
        throw new Error('It cannot be written.');
      return Buffer.concat(parts);
    } finally {
      wasmExports.free(writer);
      module.pdfium.removeFunction(write);
    }
  }

  /** Copies what a page draws to the end of another document: its content with fonts and pictures, not its dictionary. */
  function copyDrawn(index: number, target: number): void {
    const [width, height] = withPage(index + 1, (page) => {
      if (module.FPDFPage_Flatten(page, AS_SHOWN) === FLATTEN_FAILED)
        throw new Error(`Page ${index + 1} cannot be copied.`);
      return [module.FPDF_GetPageWidthF(page), module.FPDF_GetPageHeightF(page)];
    });
    const content = module.FPDF_NewXObjectFromPage(target, document, index);
    if (content === 0) throw new Error(`Page ${index + 1} cannot be copied.`);
    const page = module.FPDFPage_New(target, index, width!, height!);
    try {
      // Its matrix turns and moves it to how the page is shown.
      module.FPDFPage_InsertObject(page, module.FPDF_NewFormObjectFromXObject(content));
      if (!module.FPDFPage_GenerateContent(page)) throw new Error(`Page ${index + 1} cannot be copied.`);
    } finally {
      module.FPDF_ClosePage(page);
      module.FPDF_CloseXObject(content);
    }
  }

  return {
    password,
    pages: module.FPDF_GetPageCount(document),

    sizeOf: (number) =>
      withPage(number, (page) => ({
        width: module.FPDF_GetPageWidthF(page),
        height: module.FPDF_GetPageHeightF(page),
      })),

    grey: (number, width, height) =>
      withPage(number, (page) => {
        const buffer = wasmExports.malloc(width * height);
        if (buffer === 0) throw new Error('The page is too large.');
        const bitmap = module.FPDFBitmap_CreateEx(width, height, GREY, buffer, width);
        try {
          module.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
          module.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_ANNOTATIONS);
          return memory().slice(buffer, buffer + width * height);
        } finally {
          module.FPDFBitmap_Destroy(bitmap);
          wasmExports.free(buffer);
        }
      }),

    characters: (number) =>
      withPage(number, (page) => {
        const text = module.FPDFText_LoadPage(page);
        const buffer = wasmExports.malloc(4 * 8 + 2 * 4);
        try {
          const [width, height] = [module.FPDF_GetPageWidthF(page), module.FPDF_GetPageHeightF(page)].map(
            (side) => Math.round(side * TENTHS),
          );
          const corner = (x: number, y: number): [number, number] => {
            module.FPDF_PageToDevice(page, 0, 0, width!, height!, 0, x, y, buffer + 32, buffer + 36);
            return [getValue(buffer + 32, 'i32'), getValue(buffer + 36, 'i32')];
          };
          let all = '';
          const boxes: ([number, number, number, number] | null)[] = [];
          for (let index = 0, count = module.FPDFText_CountChars(text); index < count; index += 1) {
            const code = module.FPDFText_GetUnicode(text, index);
            all += code > 0xffff || code === 0 ? '\uFFFD' : String.fromCharCode(code);
            const written =
              module.FPDFText_IsGenerated(text, index) !== 1 &&
              module.FPDFText_GetCharBox(text, index, buffer, buffer + 8, buffer + 16, buffer + 24);
            if (!written) {
              boxes.push(null);
              continue;
            }
            const [left, right, bottom, top] = [0, 8, 16, 24].map((to) => getValue(buffer + to, 'double'));
            const [[x0, y0], [x1, y1]] = [corner(left!, top!), corner(right!, bottom!)];
            boxes.push([Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)]);
          }
          return { text: all, boxes };
        } finally {
          wasmExports.free(buffer);
          if (text !== 0) module.FPDFText_ClosePage(text);
        }
      }),

    unlocked: () => saved(document, WITHOUT_SECURITY),

    drawn() {
      const target = module.FPDF_CreateNewDocument();
      try {
        for (let index = 0, count = module.FPDF_GetPageCount(document); index < count; index += 1)
          copyDrawn(index, target);
        return saved(target, 0);
      } finally {
        module.FPDF_CloseDocument(target);
      }
    },

    close() {
      module.FPDF_CloseDocument(document);
      wasmExports.free(file);
    },
  };
}

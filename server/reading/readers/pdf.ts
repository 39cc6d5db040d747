import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { openWithPdfJs } from '#server/sandbox/pdf-js.ts';
import type { FileText, PageText } from './contract.ts';
import { letterStarts } from './letter-widths.ts';
import type { Budget } from './limits.ts';
import { Refused } from './limits.ts';

const PAGES_MAX = 2000;
const PAGES_MAX_AGAIN = 200;
/** The share of undecodable characters above which the text is unusable, as with a font without a Unicode map. */
const GARBAGE_SHARE_MAX = 0.15;
const GARBAGE = /[\p{Co}\p{Cn}\uFFFD]|(?!\s)\p{Cc}/gu;
/** Text at a larger angle, such as a watermark, is skipped: its pieces make no sense. In radians. */
const SKEW_MAX = 0.09;
const TENTHS = 10;

interface Piece {
  str: string;
  transform: number[];
  width: number;
  height: number;
  fontName: string;
  hasEOL: boolean;
}
type Corner = (x: number, y: number) => number[];

const isSkewed = ([a = 1, b = 0]: number[]): boolean => {
  const turn = Math.abs(Math.atan2(b, a)) % (Math.PI / 2);
  return Math.min(turn, Math.PI / 2 - turn) > SKEW_MAX;
};

/** The box of a piece between two shares of its width: left, top, right, bottom. */
function boxOf({ transform, width, height }: Piece, from: number, to: number, corner: Corner): number[] {
  const [a = 1, b = 0, , , e = 0, f = 0] = transform;
  const length = Math.hypot(a, b) || 1;
  const [along, up] = [[a / length, b / length] as const, [-b / length, a / length] as const];
  const point = (share: number, rise: number) =>
    corner(
      e + along[0] * width * share + up[0] * height * rise,
      f + along[1] * width * share + up[1] * height * rise,
    );
  const [[x0 = 0, y0 = 0], [x1 = 0, y1 = 0]] = [point(from, -0.2), point(to, 0.85)];
  return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
}

/** The text of a page, with a box for each word. */
function layOut(
  pieces: readonly Piece[],
  corner: Corner,
  isMonospaced: (fontName: string) => boolean,
): { text: string; boxes: number[][] } {
  let text = '';
  const boxes: number[][] = [];
  for (const piece of pieces) {
    if (isSkewed(piece.transform)) continue;
    // Columns that are aligned by blanks are monospaced also where the font does not say so.
    const starts = letterStarts(piece.str, isMonospaced(piece.fontName) || /\S {2,}\S/.test(piece.str));
    for (const match of piece.str.matchAll(/\S+/g)) {
      const [from, to] = [starts[match.index]!, starts[match.index + match[0].length]!];
      const box = boxOf(piece, from, to, corner);
      const last = boxes.at(-1);
      // A word may be split over several pieces.
      if (match.index === 0 && last && /\S$/.test(text)) {
        for (const side of [0, 1]) last[side] = Math.min(last[side]!, box[side]!);
        for (const side of [2, 3]) last[side] = Math.max(last[side]!, box[side]!);
      } else boxes.push(box);
    }
    text += piece.hasEOL ? `${piece.str}\n` : piece.str;
  }
  return { text, boxes };
}

/** The values of form fields, which are not part of the page's text. */
async function formValues(page: PDFPageProxy): Promise<string> {
  const fields = (await page.getAnnotations()) as { fieldValue?: unknown }[];
  const values = fields.flatMap(({ fieldValue }) =>
    [fieldValue].flat().filter((value): value is string => typeof value === 'string' && /\w{2}/.test(value)),
  );
  return values.length > 0 ? `\n${values.join('\n')}` : '';
}

async function readPage(page: PDFPageProxy, hasForm: boolean): Promise<Omit<PageText, 'label'>> {
  const view = page.getViewport({ scale: 1 });
  const { items, styles } = await page.getTextContent({
    includeMarkedContent: false,
    disableNormalization: false,
  });
  const pieces = items.filter((item): item is (typeof items)[number] & Piece => 'str' in item);
  const { text, boxes } = layOut(
    pieces,
    (x, y) => view.convertToViewportPoint(x, y),
    (fontName) => styles[fontName]?.fontFamily === 'monospace',
  );
  const garbage = text.match(GARBAGE)?.length ?? 0;
  const number = page.pageNumber;
  if (garbage > text.replace(/\s/g, '').length * GARBAGE_SHARE_MAX) return { page: number, text: '' };
  const sides = boxes.flatMap(([left = 0, top = 0, right = 0, bottom = 0]) =>
    [left, top, right - left, bottom - top].map((value) => Math.round(value * TENTHS)),
  );
  const filled = hasForm ? await formValues(page) : '';
  // Replacing keeps the count of words, so that boxes still match.
  return { page: number, text: text.replace(GARBAGE, '\uFFFD') + filled, boxes: sides };
}

/** Fonts that draw Hindi for Latin character codes: the text is nonsense, and only OCR can read the page. */
const LEGACY_HINDI_FONT =
  /\/BaseFont\s*\/(?:[A-Z]{6}\+)?(?:Kruti|DevLys|Chanakya|Shusha|Shivaji|Akruti|Walkman)/i;

/**
 * The index of the password that opens it; PDFium tests passwords in a tenth of pdf.js's time. @throws {Refused}
 * `locked`, `damaged`.
 */
async function findPassword(bytes: Uint8Array, passwords: readonly string[]): Promise<number> {
  const { openPdf, PdfLocked } = await import('../pdfium.ts');
  try {
    const pdf = await openPdf(bytes, passwords);
    pdf.close();
    return pdf.password;
  } catch (error) {
    throw new Refused(error instanceof PdfLocked ? 'locked' : 'damaged', (error as Error).message);
  }
}

/**
 * @param passwords to try where the empty one does not open it.
 * @throws {Refused} `locked`, `damaged`.
 */
export async function readPdf(
  bytes: Uint8Array,
  budget: Budget,
  passwords: readonly string[] = [],
): Promise<FileText> {
  let loading = await openWithPdfJs(bytes);
  let password: number | undefined;
  const pdf = await loading.promise.catch(async (error: Error) => {
    if (error.name !== 'PasswordException') throw new Refused('damaged', error.message);
    if (passwords.length === 0) throw new Refused('locked', error.message);
    password = await findPassword(bytes, passwords);
    loading = await openWithPdfJs(bytes, { password: passwords[password] });
    return loading.promise.catch((other: Error) => {
      throw new Refused('damaged', other.message);
    });
  });
  try {
    const hasForm = (await pdf.getFieldObjects().catch(() => null)) !== null;
    const pages: PageText[] = [];
    const isLegacy = LEGACY_HINDI_FONT.test(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
    );
    const pagesMax = budget.isRetry ? PAGES_MAX_AGAIN : PAGES_MAX;
    for (let number = 1; number <= pdf.numPages && !budget.spent; number += 1) {
      if (number > pagesMax) {
        budget.cut = 'pages';
        break;
      }
      // A damaged page does not keep the others from being read.
      const page = await pdf.getPage(number).catch(() => null);
      const read = page && !isLegacy && (await readPage(page, hasForm).catch(() => null));
      const text = budget.take(read ? read.text : '');
      pages.push({ page: number, label: '', text, ...(read && read.boxes && text && { boxes: read.boxes }) });
      page?.cleanup();
    }
    return {
      kind: 'page',
      pages,
      count: pdf.numPages,
      cut: budget.cut,
      ...(password !== undefined && { password }),
    };
  } finally {
    await loading.destroy();
  }
}

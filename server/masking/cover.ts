import type { Canvas } from '@napi-rs/canvas';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { pictureOf } from '#server/previews/pictures.ts';
import type { ReadPage } from '#server/reading/ocr/read-page.ts';
import { copyType, TEXT_TYPES } from './contract.ts';
import type { Box, Found, PageWords } from './numbers.ts';
import { hasNumber, mentionsAadhaar, numbersIn } from './numbers.ts';
import type { MaskResult, MaskRequest } from './request.ts';
import type { Opened } from './pages.ts';
import { drawnPdf, openFile } from './pages.ts';
import { qrCodesIn } from './qr.ts';

/** Pages rendered per file, and pages whose pictures are read. */
const [PAGES_MAX, READ_MAX] = [300, 60];
/** The longer side of a page: A4 at 200 dots per inch, at which small print stays legible. */
const SIDE = 2339;
const SIDE_READ = 3300;
const JPEG_QUALITY = 82;
/** Of a picture that is served in its full size. */
const COPY_QUALITY = 90;
/** As for previews. */
const PIXELS_MAX = 80_000_000;
/** The longer side of A4 in points; a picture counts as A4. */
const A4_LENGTH = 842;
/** Mean confidence in percent below which a scan may contain anything. */
const CONFIDENCE_MIN = 55;
/** The most words of a card: a longer page that mentions Aadhaar is a letter. */
const CARD_WORDS = 120;

class Withheld extends Error {
  readonly why: 'unknown' | 'long';

  constructor(why: 'unknown' | 'long') {
    super(why);
    this.why = why;
  }
}

/** Reads a page as a picture. */
type ReadPageOf = (page: number, side: number) => Promise<{ read: ReadPage; unit: number; blank: boolean }>;

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Decodes a text by its byte order mark. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le');
  return bytes.toString('utf8');
}

/**
 * Removes the tags of HTML and XML. After the last `>` no tag ends: there the pattern would look for the end of each `<`
 * in all of the rest.
 */
function withoutTags(text: string): string {
  const end = text.lastIndexOf('>') + 1;
  return text.slice(0, end).replace(/<[^>]*>/g, ' ') + text.slice(end);
}

/** Blanks and dashes that HTML writes by name, and characters without width, which may separate the digits of a number. */
const NAMED_GAP =
  /&(?:nbsp|ensp|emsp|thinsp|hairsp|numsp|puncsp|shy|zwnj|zwj|lrm|rlm|ndash|mdash|minus|hyphen|dash|horbar|lowbar);?/gi;
const NO_WIDTH = /[\u00ad\u200b-\u200f\u2060\ufeff]+/g;

/** A text has no pages to cover: it is served as it is, or not at all. */
export function checkText(bytes: Buffer): MaskResult {
  const all = decode(bytes);
  // No text has NUL characters: these bytes are in another encoding, in which their digits would be found.
  if (all.includes('\0')) return { withheld: 'unknown' };
  // HTML may write characters as numeric references.
  const plain = all
    .replace(/&#(x?)([\da-f]+);/gi, (_, hex: string, code: string) =>
      String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, hex ? 16 : 10) || 32)),
    )
    .replace(NAMED_GAP, ' ')
    .replace(NO_WIDTH, ' ');
  // However many blanks and line ends stand between two cells, a browser shows one.
  for (const variant of [plain, withoutTags(plain).replace(/\s+/g, ' ')])
    if (hasNumber({ text: variant.replace(/["'<>=,;|]/g, ' '), boxes: [] }, mentionsAadhaar(variant)))
      return { withheld: 'number' };
  return { clear: true };
}

const mean = (all: readonly number[]): number =>
  all.length === 0 ? 0 : all.reduce((sum, value) => sum + value, 0) / all.length;

/** The boxes to cover on a page, in tenths of a point, and whether the page has or mentions Aadhaar numbers. */
interface Covers {
  boxes: Box[];
  aadhaar: boolean;
}

/** @throws {Withheld} */
async function coversOf(
  opened: Opened,
  page: number,
  words: PageWords | undefined,
  { file, read }: { file: boolean; read: (page: number) => Promise<PageWords & { blank: boolean }> },
): Promise<Covers> {
  const readings: PageWords[] = [];
  const scanned = words?.sure !== undefined && words.text !== '';
  if (words && words.text !== '') readings.push(words);
  const written = opened.textOf(page);
  // Except for scans, the stored boxes of words are estimates: find the numbers again, character by character.
  const known = words ? numbersIn(words, file) : [];
  let found = [...(scanned ? known : []), ...(written ? numbersIn(written, file) : [])];
  const open = known.filter(
    ({ end }) => !found.some((number) => number.end === end && number.boxes.length > 0),
  );
  if (!scanned && (readings.length === 0 || open.length > 0 || (await opened.hasPicture(page)))) {
    const looked = await read(page);
    if (looked.text !== '') readings.push(looked);
    // An unreadable page that is not blank may contain anything.
    else if (readings.length === 0 && !looked.blank) throw new Withheld('unknown');
    found = [...found, ...numbersIn(looked, file)];
  }
  const isCovered = ({ end }: Found) => found.some((number) => number.end === end && number.boxes.length > 0);
  if (![...known, ...found].every(isCovered)) throw new Withheld('unknown');
  const scans = readings.filter(({ sure }) => sure !== undefined);
  if (readings.length === scans.length && scans.some(({ sure = [] }) => mean(sure) < CONFIDENCE_MIN))
    throw new Withheld('unknown');
  const says = readings.some((page) => mentionsAadhaar(page.text));
  // A card has a number, even where none was found.
  const isCard = scans.some(
    (page) => mentionsAadhaar(page.text) && page.text.split(/\s+/).length < CARD_WORDS,
  );
  if (isCard && found.length === 0) throw new Withheld('unknown');
  return { boxes: found.flatMap((number: Found) => number.boxes), aadhaar: says || found.length > 0 };
}

async function pageOf(request: MaskRequest, page: number): Promise<Canvas> {
  const { bytes, fileType } = request;
  const { picture } = await pictureOf({ bytes, fileType, page, side: SIDE });
  const image = await loadImage(bufferOf(picture));
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  return canvas;
}

/** @returns how many areas were covered. */
async function cover(canvas: Canvas, { boxes, aadhaar }: Covers, longest: number | null): Promise<number> {
  const { width, height } = canvas;
  const context = canvas.getContext('2d');
  const scale = Math.max(width, height) / ((longest ?? A4_LENGTH) * 10);
  // Find codes before covering digits: a bar could hide a corner of a code.
  const codes = aadhaar ? await qrCodesIn(context.getImageData(0, 0, width, height).data, width, height) : [];
  context.fillStyle = 'black';
  const areas = [...boxes.map((box) => box.map((side) => side * scale)), ...codes];
  for (const [left = 0, top = 0, right = 0, bottom = 0] of areas)
    context.fillRect(
      Math.floor(left),
      Math.floor(top),
      Math.ceil(right - left) + 1,
      Math.ceil(bottom - top) + 1,
    );
  return areas.length;
}

/** Combines pictures into a PDF; `longest` is the longer side of each page in points. */
async function pdfOf(
  pictures: readonly { jpeg: Buffer; width: number; height: number; longest: number }[],
): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const pdf = new PDFDocument({ autoFirstPage: false, margin: 0 });
  const parts: Buffer[] = [];
  pdf.on('data', (part: Buffer) => parts.push(part));
  const done = new Promise<void>((resolve, reject) => {
    pdf.on('end', resolve);
    pdf.on('error', reject);
  });
  for (const { jpeg, width, height, longest } of pictures) {
    const scale = longest / Math.max(width, height);
    const size: [number, number] = [width * scale, height * scale];
    pdf.addPage({ size, margin: 0 });
    pdf.image(jpeg, 0, 0, { width: size[0], height: size[1] });
  }
  pdf.end();
  await done;
  return Buffer.concat(parts);
}

/** A file without numbers, of the same type: a PDF was made anew already, a picture loses its metadata. */
async function copyOf({ bytes, fileType }: MaskRequest): Promise<Uint8Array> {
  if (fileType === 'pdf') return bytes;
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  // As it was judged: the first frame of a moving picture, on white.
  const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    .autoOrient()
    .flatten({ background: 'white' });
  if (fileType === 'png') return picture.png().toBuffer();
  if (fileType === 'webp') return picture.webp({ quality: COPY_QUALITY }).toBuffer();
  if (fileType === 'gif') return picture.gif().toBuffer();
  return picture.jpeg({ quality: COPY_QUALITY }).toBuffer();
}

async function maskPages(request: MaskRequest, readPage: ReadPageOf | null): Promise<MaskResult> {
  const { bytes, fileType } = request;
  const opened = await openFile(bytes, fileType, Math.max(1, request.pages.length));
  try {
    if (opened.pages > PAGES_MAX) return { withheld: 'long' };
    let reads = 0;
    const read = async (page: number) => {
      if (!readPage) throw new Withheld('unknown');
      if ((reads += 1) > READ_MAX) throw new Withheld('long');
      const { read: found, unit, blank } = await readPage(page, SIDE_READ);
      return { text: found.text, boxes: found.boxes.map((side) => side * unit), sure: found.sure, blank };
    };
    const file = request.pages.some((page) => mentionsAadhaar(page.text));
    const covers: Covers[] = [];
    for (let page = 1; page <= opened.pages; page += 1)
      covers.push(await coversOf(opened, page, request.pages[page - 1], { file, read }));
    const hasToCover = covers.some(({ aadhaar }) => aadhaar);
    if (!hasToCover && copyType(fileType) === fileType) return { clear: true, copy: await copyOf(request) };
    const pictures: Parameters<typeof pdfOf>[0][number][] = [];
    let covered = 0;
    for (const [index, one] of covers.entries()) {
      const canvas = await pageOf(request, index + 1);
      const longest = await opened.longest(index + 1);
      covered += await cover(canvas, one, longest);
      const jpeg = await canvas.encode('jpeg', JPEG_QUALITY);
      pictures.push({ jpeg, width: canvas.width, height: canvas.height, longest: longest ?? A4_LENGTH });
    }
    // It may mention Aadhaar, but has neither number nor code.
    if (covered === 0)
      return {
        clear: true,
        copy: copyType(fileType) === fileType ? await copyOf(request) : await pdfOf(pictures),
      };
    return { pdf: await pdfOf(pictures), pages: opened.pages };
  } catch (error) {
    if (error instanceof Withheld) return { withheld: error.why };
    throw error;
  } finally {
    await opened.close();
  }
}

/**
 * The request for what the pages of a PDF show, without a password; other requests as they are. Null for a PDF with too
 * many pages.
 */
export async function requestOfDrawn(request: MaskRequest): Promise<MaskRequest | null> {
  const { password, ...rest } = request;
  if (rest.fileType !== 'pdf') return rest;
  const bytes = await drawnPdf(rest.bytes, password, PAGES_MAX);
  return bytes && { ...rest, bytes };
}

/**
 * Masks the Aadhaar numbers of a file, a PDF from `requestOfDrawn`. Rejects for a file that does not open. @param
 * readPage null where pictures are not read.
 */
export const maskFile = (request: MaskRequest, readPage: ReadPageOf | null): Promise<MaskResult> =>
  TEXT_TYPES.includes(request.fileType)
    ? Promise.resolve(checkText(bufferOf(request.bytes)))
    : maskPages(request, readPage);

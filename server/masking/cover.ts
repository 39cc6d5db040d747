import type { Canvas } from '@napi-rs/canvas';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { pictureOf } from '#server/previews/pictures.ts';
import type { ReadPage } from '#server/reading/ocr/read-page.ts';
import { TEXT_TYPES } from './contract.ts';
import type { Box, Found, PageWords } from './numbers.ts';
import { numbersIn, saysAadhaar } from './numbers.ts';
import type { Masked, MaskOrder } from './order.ts';
import type { Opened } from './pages.ts';
import { openFile } from './pages.ts';
import { qrCodesIn } from './qr.ts';

/** Pages of a file of which pictures are made, and pages of which the pictures in them are read. */
const [PAGES_MAX, READ_MAX] = [300, 60];
/** The longest side of a page: 200 dots to the inch of A4, at which small print stays legible. */
const SIDE = 2339;
const SIDE_READ = 3300;
const QUALITY = 82;
/** Points of A4, as which a picture counts. */
const A4 = 842;
/** In percent: what was read less surely on the whole may have been anything. */
const SURE = 55;
/** Words of a card; a page of more that speaks of Aadhaar is a letter. */
const CARD_WORDS = 120;

class Withheld extends Error {
  readonly why: 'unknown' | 'long';

  constructor(why: 'unknown' | 'long') {
    super(why);
    this.why = why;
  }
}

/** Reads a page as a picture. */
export type ReadPageOf = (
  page: number,
  side: number,
) => Promise<{ read: ReadPage; unit: number; blank: boolean }>;

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A text as it stands, in whichever way its signs are written. */
function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return bytes.toString('utf16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le');
  return bytes.toString('utf8');
}

/** Of a text there are no pages that could be covered: it is given as it is, or not at all. */
function text(bytes: Buffer): Masked {
  const all = textOf(bytes);
  // Signs of a page of the web may be written by their numbers.
  const plain = all.replace(/&#(x?)([\da-f]+);/gi, (_, hex: string, code: string) =>
    String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(code, hex ? 16 : 10) || 32)),
  );
  for (const one of [plain, plain.replace(/<[^>]*>/g, ' ')])
    if (numbersIn({ text: one.replace(/["'<>=,;|]/g, ' '), boxes: [] }, saysAadhaar(one)).length > 0)
      return { withheld: 'number' };
  return { clear: true };
}

const mean = (all: readonly number[]): number =>
  all.length === 0 ? 0 : all.reduce((sum, one) => sum + one, 0) / all.length;

/** What is to be covered on a page, in tenths of a point, and whether it bears Aadhaar numbers or speaks of them. */
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
  const written = opened.written(page);
  // Where its words stand the reading knows by guess, of all but scans: they are found anew, sign by sign.
  const known = words ? numbersIn(words, file) : [];
  let found = [...(scanned ? known : []), ...(written ? numbersIn(written, file) : [])];
  const open = known.filter(({ end }) => !found.some((one) => one.end === end && one.boxes.length > 0));
  if (!scanned && (readings.length === 0 || open.length > 0 || (await opened.hasPicture(page)))) {
    const looked = await read(page);
    if (looked.text !== '') readings.push(looked);
    // Where nothing can be read on what is no empty page, it may say anything.
    else if (readings.length === 0 && !looked.blank) throw new Withheld('unknown');
    found = [...found, ...numbersIn(looked, file)];
  }
  const isCovered = ({ end }: Found) => found.some((one) => one.end === end && one.boxes.length > 0);
  if (![...known, ...found].every(isCovered)) throw new Withheld('unknown');
  const scans = readings.filter(({ sure }) => sure !== undefined);
  if (readings.length === scans.length && scans.some(({ sure = [] }) => mean(sure) < SURE))
    throw new Withheld('unknown');
  const says = readings.some((one) => saysAadhaar(one.text));
  // A card whose number was not found has it all the same.
  const isCard = scans.some((one) => saysAadhaar(one.text) && one.text.split(/\s+/).length < CARD_WORDS);
  if (isCard && found.length === 0) throw new Withheld('unknown');
  return { boxes: found.flatMap((one: Found) => one.boxes), aadhaar: says || found.length > 0 };
}

async function pageOf(order: MaskOrder, page: number): Promise<Canvas> {
  const { bytes, fileType, password } = order;
  const { picture } = await pictureOf({
    bytes,
    fileType,
    page,
    side: SIDE,
    ...(password !== undefined && { password }),
  });
  const image = await loadImage(bufferOf(picture));
  const canvas = createCanvas(image.width, image.height);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  return canvas;
}

/** @returns how much was covered. */
async function cover(canvas: Canvas, { boxes, aadhaar }: Covers, longest: number | null): Promise<number> {
  const { width, height } = canvas;
  const context = canvas.getContext('2d');
  const scale = Math.max(width, height) / ((longest ?? A4) * 10);
  // Looked for before the digits are covered: a bar across it would hide one of its corners.
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

/** Puts pictures together. @param points the size of each page's longest side. */
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

async function pages(order: MaskOrder, readPage: ReadPageOf | null): Promise<Masked> {
  const { bytes, fileType, password } = order;
  const opened = await openFile(bytes, fileType, { password, pages: Math.max(1, order.pages.length) });
  try {
    if (opened.pages > PAGES_MAX) return { withheld: 'long' };
    let reads = 0;
    const read = async (page: number) => {
      if (!readPage) throw new Withheld('unknown');
      if ((reads += 1) > READ_MAX) throw new Withheld('long');
      const { read: found, unit, blank } = await readPage(page, SIDE_READ);
      return { text: found.text, boxes: found.boxes.map((one) => one * unit), sure: found.sure, blank };
    };
    const file = order.pages.some((one) => saysAadhaar(one.text));
    const covers: Covers[] = [];
    for (let page = 1; page <= opened.pages; page += 1)
      covers.push(await coversOf(opened, page, order.pages[page - 1], { file, read }));
    if (!covers.some(({ aadhaar }) => aadhaar)) return { clear: true };
    const pictures: Parameters<typeof pdfOf>[0][number][] = [];
    let covered = 0;
    for (const [at, one] of covers.entries()) {
      const canvas = await pageOf(order, at + 1);
      const longest = await opened.longest(at + 1);
      covered += await cover(canvas, one, longest);
      const jpeg = await canvas.encode('jpeg', QUALITY);
      pictures.push({ jpeg, width: canvas.width, height: canvas.height, longest: longest ?? A4 });
    }
    // It spoke of Aadhaar, and there was neither number nor code.
    if (covered === 0) return { clear: true };
    return { pdf: await pdfOf(pictures), pages: opened.pages };
  } catch (error) {
    if (error instanceof Withheld) return { withheld: error.why };
    throw error;
  } finally {
    await opened.close();
  }
}

/** A file with its Aadhaar numbers covered. Rejects for what cannot be opened. @param readPage null where pictures are not read. */
export const masked = (order: MaskOrder, readPage: ReadPageOf | null): Promise<Masked> =>
  TEXT_TYPES.includes(order.fileType) ? Promise.resolve(text(bufferOf(order.bytes))) : pages(order, readPage);

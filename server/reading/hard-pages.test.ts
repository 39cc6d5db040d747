import { createCanvas, loadImage } from '@napi-rs/canvas';
import { registerHooks } from 'node:module';
import sharp from 'sharp';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { workbook } from '#server/previews/testing/office.ts';
import { heic } from '#server/previews/testing/heic.ts';
import { recognise } from '#server/recognition/recognise.ts';
import { Budget } from './readers/limits.ts';
import { readPdf } from './readers/pdf.ts';
import { readFile } from './readers/read.ts';
import { openNetworks } from './ocr/engines.ts';
import { openPages } from './ocr/picture.ts';
import type { Raster } from './ocr/raster.ts';
import { readRaster } from './ocr/read-page.ts';
import { openTesseract } from './ocr/tesseract.ts';
import { drawn, mixedPdf } from './testing/scans.ts';

const SIDE = 3300;
const text = async (bytes: Buffer, fileType: string) =>
  (await readFile(bytes, fileType, new Budget(false))).pages.map((page) => page.text);
/** Whether the middle of the left half and that of the right half are dark. */
const halves = ({ data, width, height }: Raster) =>
  [0.25, 0.75].map((at) => data[Math.floor(height / 2) * width + Math.floor(width * at)]! < 128);

test('a page of 200 by 200 inches is rendered with a limited number of pixels, so that it fits in memory', async () => {
  const large = Buffer.from(
    mixedPdf([['Very large']])
      .toString('latin1')
      .replace('[0 0 595 842]', '[0 0 14400 14400]'),
    'latin1',
  );
  const pages = await openPages(large, 'pdf', '');
  const { raster, unit } = await pages.picture(1, SIDE);
  pages.close();
  assert.equal([raster.width, raster.height, Math.round(unit * raster.width)], [4600, 4600, 144_000]);
});

test('character codes of a font without a Unicode map do not count as text, so that the page is read by OCR instead', async () => {
  const codes = Array.from({ length: 60 }, (_, n) => String.fromCharCode(1 + (n % 6))).join('');
  const { pages } = await readPdf(mixedPdf([[codes], ['Words that are there']]), new Budget(false));
  assert.equal(
    pages.map((page) => page.text.trim()),
    ['', 'Words that are there'],
  );
});

test('the hidden text layer that scanners put under the picture of a page is read', async () => {
  const jpeg = await drawn(['Picture'], { height: 200 });
  const pdf = mixedPdf([{ jpeg, width: 1240, height: 200 }]).toString('latin1');
  const under = 'BT /F1 12 Tf 20 60 Td (Hidden words) Tj ET ';
  const content = /\/Length (\d+) >>\nstream\nq 595/.exec(pdf)!;
  const both = pdf
    .replace(content[0], `/Length ${Number(content[1]) + under.length} >>\nstream\n${under}q 595`)
    .replace('/XObject <<', '/Font << /F1 3 0 R >> /XObject <<');
  const { pages } = await readPdf(Buffer.from(both, 'latin1'), new Budget(false));
  assert.is(pages[0]!.text, 'Hidden words');
});

test('a TIFF that unpacks to gigabytes is refused before it is unpacked', async () => {
  const small = await sharp(Buffer.alloc(64 * 64), { raw: { width: 64, height: 64, channels: 1 } })
    .tiff({ compression: 'none' })
    .toBuffer();
  const offset = small.readUInt32LE(4);
  for (let n = 0; n < small.readUInt16LE(offset); n += 1) {
    const entry = offset + 2 + n * 12;
    // The tags of width and height.
    if ([256, 257].includes(small.readUInt16LE(entry))) {
      small.writeUInt16LE(4, entry + 2);
      small.writeUInt32LE(60_000, entry + 8);
    }
  }
  const pages = await openPages(small, 'tiff', '');
  await pages.picture(1, SIDE).then(
    () => assert.unreachable(),
    (error: Error) => assert.match(error.message, /limit|large|dimension/i),
  );
});

test('iPhone photos (HEIC), bitmaps and all pages of a TIFF are decoded for OCR as they look on screen', async () => {
  const shades = async (bytes: Buffer, fileType: string, page = 1) => {
    const pages = await openPages(bytes, fileType, '');
    const { raster } = await pages.picture(page, 400);
    return halves(raster);
  };
  assert.equal(await shades(heic(), 'heic'), [false, true]);
  const canvas = createCanvas(200, 100);
  const context = canvas.getContext('2d');
  context.fillStyle = 'white';
  context.fillRect(0, 0, 200, 100);
  context.fillStyle = 'black';
  context.fillRect(0, 0, 100, 100);
  const png = canvas.toBuffer('image/png');
  const { data } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  // A bitmap has its rows from bottom to top, in the order blue, green, red, padded to four bytes.
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54 + data.length, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(200, 18);
  head.writeInt32LE(100, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  assert.is((await loadImage(Buffer.concat([head, data]))).width, 200);
  assert.equal(await shades(Buffer.concat([head, data]), 'bmp'), [true, false]);
  const white = await sharp(png).negate({ alpha: false }).png().toBuffer();
  const pages = await sharp([png, white], { join: { animated: true } })
    .tiff()
    .toBuffer();
  assert.equal(await shades(pages, 'tiff', 1), [true, false]);
  assert.equal(await shades(pages, 'tiff', 2), [false, true]);
});

test('a formula in a workbook is read by its saved result, and never computed', async () => {
  const rows =
    '<row r="1"><c r="A1"><f>HYPERLINK("http://x.in","1+1")</f><v>7</v></c><c r="B1"><f>40+2</f></c></row>';
  assert.equal(await text(workbook({ A: { rows } }), 'xlsx'), ['7']);
});

test('a picture of a keyboard has no document type, and no identifier that passes a check digit', () => {
  const keys =
    '1 2 3 4 5 6 7 8 9 0 - =\nQ W E R T Y U I O P\nA S D F G H J K L\nZXCVB NM 1234567890\nQWERP1234A';
  const { type, fields } = recognise([{ page: 1, label: '', text: keys }], { fileType: 'jpg' });
  assert.is(type, null);
  assert.equal(
    fields.filter(({ check }) => check === 'checksum'),
    [],
  );
});

const dark = async (lines: readonly string[]): Promise<Raster> => {
  const pages = await openPages(await drawn(lines, { height: 260 }), 'jpg', '');
  return (await pages.picture(1, 1240)).raster;
};

test('without the neural networks, as on machines where ONNX Runtime does not run, Tesseract alone reads a page', async () => {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'onnxruntime-node') throw new Error('It is not there.');
      return next(specifier, context);
    },
  });
  try {
    assert.is(await openNetworks(), null);
  } finally {
    hooks.deregister();
  }
  const tesseract = await openTesseract();
  const read = await readRaster(
    { networks: null, tesseract },
    await dark(['TAX INVOICE', 'Total 1,18,590.00']),
  );
  assert.match(read.text, 'Total 1,18,590.00');
  assert.is(new Set(read.seen).size, 1);
});

test.run();

import type { Sharp } from 'sharp';
import { previewKind } from '#server/documents/contract.ts';
import { openWithPdfJs } from '#server/sandbox/pdf-js.ts';
import type { MadePicture, PictureOrder } from './renderer-process.ts';

/** Larger pictures are refused: decoding them takes too much memory. */
const PIXELS_MAX = 80_000_000;
const QUALITY = 78;

const buffered = ({ bytes }: PictureOrder): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

async function fromImage({ bytes, page, side }: PictureOrder): Promise<MadePicture> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const limits = { limitInputPixels: PIXELS_MAX, failOn: 'error', sequentialRead: true } as const;
  const { pages = 1, format } = await sharp(bytes, limits).metadata();
  const image: Sharp = sharp(bytes, { ...limits, ...(format === 'tiff' && { page: page - 1 }) });
  const picture = await image
    // Applies the EXIF orientation and drops all metadata.
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer();
  return { picture, pages: format === 'tiff' ? pages : 1 };
}

/** `ftyp` brands of pictures coded as HEVC. Files named `.heic` with another brand are decoded by sharp. */
const HEVC = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

async function fromHeic(order: PictureOrder): Promise<MadePicture> {
  const { bytes, page, side } = order;
  const brand = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', 4, 12);
  if (!brand.startsWith('ftyp') || !HEVC.has(brand.slice(4))) return fromImage(order);
  const [{ default: sharp }, { default: heic }] = await Promise.all([import('sharp'), import('heic-decode')]);
  const frames = await heic.all({ buffer: bytes });
  try {
    const frame = frames[page - 1];
    if (!frame) throw new Error('There is no such picture in the file.');
    const { width, height } = frame;
    if (!(width * height > 0) || width * height > PIXELS_MAX) throw new Error('The picture is too large.');
    const { data } = await frame.decode();
    const picture = await sharp(data, { raw: { width, height, channels: 4 } })
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer();
    return { picture, pages: frames.length };
  } finally {
    frames.dispose();
  }
}

async function fromBitmap(order: PictureOrder): Promise<MadePicture> {
  const { createCanvas, loadImage } = await import('@napi-rs/canvas');
  const { side } = order;
  const view = buffered(order);
  // The first version of the header has 16-bit dimensions; all later ones have 32-bit dimensions.
  const early = view.readUInt32LE(14) === 12;
  const width = early ? view.readUInt16LE(18) : view.readInt32LE(18);
  const height = Math.abs(early ? view.readUInt16LE(20) : view.readInt32LE(22));
  if (width <= 0 || height <= 0 || width * height > PIXELS_MAX) throw new Error('The picture is too large.');
  const image = await loadImage(view);
  const scale = Math.min(1, side / Math.max(image.width, image.height));
  const canvas = createCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  );
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return { picture: await canvas.encode('webp', QUALITY), pages: 1 };
}

async function fromPdf({ bytes, page, side, password }: PictureOrder): Promise<MadePicture> {
  const { createCanvas } = await import('@napi-rs/canvas');
  const loading = await openWithPdfJs(bytes, { password, maxImageSize: PIXELS_MAX });
  const pdf = await loading.promise;
  try {
    const sheet = await pdf.getPage(page);
    const natural = sheet.getViewport({ scale: 1 });
    const longest = Math.max(natural.width, natural.height);
    if (!(longest > 0)) throw new Error('The page has no size.');
    const viewport = sheet.getViewport({ scale: side / longest });
    const canvas = createCanvas(
      Math.max(1, Math.round(viewport.width)),
      Math.max(1, Math.round(viewport.height)),
    );
    await sheet.render({ canvas: canvas as never, viewport, background: 'white' }).promise;
    return { picture: await canvas.encode('webp', QUALITY), pages: pdf.numPages };
  } finally {
    await loading.destroy();
  }
}

async function fromText(order: PictureOrder): Promise<MadePicture> {
  const [{ textPaper }, { printed }] = await Promise.all([
    import('./page-layout/text.ts'),
    import('./page-layout/paper.ts'),
  ]);
  return printed(textPaper(buffered(order)), order.page, order.side);
}

async function fromView(order: PictureOrder): Promise<MadePicture> {
  const [{ viewPaper }, { printed }] = await Promise.all([
    import('./page-layout/view.ts'),
    import('./page-layout/paper.ts'),
  ]);
  return printed(await viewPaper(buffered(order)), order.page, order.side);
}

/** Accepted formats of a logo, by its content. */
const LOGOS = new Set(['png', 'jpeg', 'svg']);
/** The maximum height: a logo is wide or square. */
const LOGO_HEIGHT = 128;

async function fromLogo({ bytes, side }: PictureOrder): Promise<MadePicture> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const limits = { limitInputPixels: PIXELS_MAX, failOn: 'error' } as const;
  const { format } = await sharp(bytes, limits).metadata();
  if (!LOGOS.has(format ?? '')) throw new Error('This is no PNG, JPEG or SVG.');
  const picture = await sharp(bytes, { ...limits, ...(format === 'svg' && { density: 300 }) })
    .autoOrient()
    .resize(side, LOGO_HEIGHT, { fit: 'inside', withoutEnlargement: true })
    .png({ palette: true, compressionLevel: 9 })
    .toBuffer();
  return { picture, pages: 1 };
}

type Reader = (order: PictureOrder) => Promise<MadePicture>;
const READERS: Record<string, Reader> = {
  pdf: fromPdf,
  view: fromView,
  logo: fromLogo,
  bmp: fromBitmap,
  heic: fromHeic,
  heif: fromHeic,
};

/** Renders one page of a file as a picture. Rejects for an unreadable file. */
export const pictureOf: Reader = (order) =>
  (READERS[order.fileType] ?? (previewKind(order.fileType) === 'text' ? fromText : fromImage))(order);

import type { Raster } from './raster.ts';

/** A page as a picture; `unit` is the size of a pixel in tenths of a point. */
interface PagePicture {
  raster: Raster;
  unit: number;
}

/** A file that is opened once for all its pages. */
export interface OpenPages {
  picture(page: number, side: number): Promise<PagePicture>;
  close(): void;
}

/** The longer side of a picture file, which counts as A4_LENGTH, in tenths of a point. */
const A4_LENGTH = 8420;
const PIXELS_MAX = 120_000_000;
/** Pixels along the longer side: A4 at 280 dots per inch. A larger page gets more, so that its print is as sharp. */
const DOTS_PER_INCH = 282;
const [SIDE_A4, SIDE_MAX] = [3300, 4600];
/** A smaller picture, such as a screenshot with small print, is enlarged at most twice. */
const SIDE_MIN = 2000;

async function pdfPages(bytes: Uint8Array, password: string): Promise<OpenPages> {
  const { openPdf } = await import('../pdfium.ts');
  const pdf = await openPdf(bytes, ['', password]);
  return {
    async picture(page, side) {
      const { width, height } = pdf.sizeOf(page);
      const longest = Math.max(width, height);
      if (!(longest > 0)) throw new Error('The page has no size.');
      const sharpSide = (longest / 72) * DOTS_PER_INCH * (side / SIDE_A4);
      const scale = Math.min(SIDE_MAX, Math.max(SIDE_MIN, sharpSide)) / longest;
      const [pixelWidth, pixelHeight] = [
        Math.max(1, Math.round(width * scale)),
        Math.max(1, Math.round(height * scale)),
      ];
      const raster = {
        data: pdf.grey(page, pixelWidth, pixelHeight),
        width: pixelWidth,
        height: pixelHeight,
      };
      return { raster, unit: 10 / scale };
    },
    close: () => pdf.close(),
  };
}

/** Brands of HEIF containers with HEVC images, which sharp does not read. */
const HEVC = /^ftyp(?:heic|heix|heim|heis|hevc|hevx|mif1|msf1)/;

/** The input for sharp, or decoded pixels where sharp does not know the format. */
async function decode(
  bytes: Buffer,
): Promise<{ data: Buffer | Uint8ClampedArray; raw?: { width: number; height: number; channels: 4 } }> {
  if (HEVC.test(bytes.toString('latin1', 4, 12))) {
    const { default: heic } = await import('heic-decode');
    const frames = await heic.all({ buffer: bytes });
    try {
      const { width = 0, height = 0 } = frames[0] ?? {};
      if (!(width * height > 0) || width * height > PIXELS_MAX) throw new Error('The picture is too large.');
      const { data } = await frames[0]!.decode();
      return { data: Buffer.from(data), raw: { width, height, channels: 4 } };
    } finally {
      frames.dispose();
    }
  }
  if (bytes.toString('latin1', 0, 2) === 'BM') {
    const { createCanvas, loadImage } = await import('@napi-rs/canvas');
    const [width, height] = [bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22))];
    if (!(width * height > 0) || width * height > PIXELS_MAX) throw new Error('The picture is too large.');
    const image = await loadImage(bytes);
    const canvas = createCanvas(image.width, image.height);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const { data } = canvas.getContext('2d').getImageData(0, 0, image.width, image.height);
    return { data, raw: { width: image.width, height: image.height, channels: 4 } };
  }
  return { data: bytes };
}

async function picturePages(bytes: Buffer): Promise<OpenPages> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const { data, raw } = await decode(bytes);
  return {
    async picture(page, side) {
      const limits = { limitInputPixels: PIXELS_MAX, sequentialRead: true, ...(raw && { raw }) } as const;
      const { format } = await sharp(data, limits).metadata();
      const image = sharp(data, { ...limits, ...(format === 'tiff' && { page: page - 1 }) });
      const upright = image.autoOrient().flatten({ background: 'white' }).greyscale();
      const { width = 0, height = 0, autoOrient } = await upright.metadata();
      const natural = Math.max(autoOrient?.width ?? width, autoOrient?.height ?? height);
      const targetSide = Math.round(Math.min(side, Math.max(natural, Math.min(SIDE_MIN, natural * 2))));
      const { data: pixels, info } = await upright
        .resize(targetSide, targetSide, { fit: 'inside' })
        .toColourspace('b-w')
        .toFormat('raw')
        .toBuffer({ resolveWithObject: true });
      const grey = info.channels === 1 ? pixels : pixels.filter((_, index) => index % info.channels === 0);
      const raster = { data: grey, width: info.width, height: info.height };
      return { raster, unit: A4_LENGTH / Math.max(info.width, info.height) };
    },
    close() {},
  };
}

/** Opens a file to render its pages. */
export const openPages = (bytes: Buffer, fileType: string, password: string): Promise<OpenPages> =>
  fileType === 'pdf' ? pdfPages(bytes, password) : picturePages(bytes);

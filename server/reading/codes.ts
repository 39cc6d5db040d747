import type { Box } from '#server/recognition/contract.ts';
import { isToken } from '#server/recognition/contract.ts';
import { qrReader } from '#server/sandbox/qr-reader.ts';
import type { PageCode } from './readers/contract.ts';
import type { Raster } from './ocr/raster.ts';

/** QR codes read per page. */
const CODES_MAX = 4;

/**
 * Finds QR codes on a picture of a page, in any orientation, that may be the signed code of an e-invoice.
 * @param unit tenths of a point per pixel.
 */
export async function readQrCodes({ data, width, height }: Raster, unit: number): Promise<PageCode[]> {
  const { readBarcodes } = await qrReader();
  const rgba = new Uint8ClampedArray(width * height * 4);
  const pixels = new Uint32Array(rgba.buffer);
  for (let index = 0; index < pixels.length; index += 1)
    pixels[index] = 0xff000000 | (data[index]! * 0x010101);
  const picture = { data: rgba, width, height } as unknown as Uint8Array;
  const codes = await readBarcodes(picture, {
    formats: ['QRCode'],
    tryHarder: true,
    tryInvert: false,
    maxNumberOfSymbols: CODES_MAX,
  });
  return codes.flatMap(({ isValid, text, position }) => {
    if (!isValid || !isToken(text)) return [];
    const corners = [position.topLeft, position.topRight, position.bottomLeft, position.bottomRight];
    const [xs, ys] = [corners.map(({ x }) => x * unit), corners.map(({ y }) => y * unit)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const box: Box = [left, top, Math.max(...xs) - left, Math.max(...ys) - top].map(Math.round) as never;
    return [{ text, box }];
  });
}

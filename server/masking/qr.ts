import { qrReader } from '#server/sandbox/qr-reader.ts';

/** In pixels: left, top, right, bottom. */
type Area = [number, number, number, number];

/** Locates QR codes in a picture, also illegible ones. @param data four bytes per pixel. */
export async function qrCodesIn(data: Uint8ClampedArray, width: number, height: number): Promise<Area[]> {
  const { readBarcodes } = await qrReader();
  const codes = await readBarcodes({ data, width, height, colorSpace: 'srgb' } as never, {
    formats: ['QRCode'],
    tryHarder: true,
    returnErrors: true,
    maxNumberOfSymbols: 8,
  });
  return codes.map(({ position: { topLeft, topRight, bottomLeft, bottomRight } }): Area => {
    const corners = [topLeft, topRight, bottomLeft, bottomRight];
    const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
    const margin = (Math.max(...xs) - Math.min(...xs)) * 0.05;
    return [
      Math.min(...xs) - margin,
      Math.min(...ys) - margin,
      Math.max(...xs) + margin,
      Math.max(...ys) + margin,
    ];
  });
}

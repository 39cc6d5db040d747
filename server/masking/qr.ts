import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type * as Reader from 'zxing-wasm/reader';

/** In pixels: left, top, right, bottom. */
type Area = [number, number, number, number];

let loading: Promise<typeof Reader> | undefined;

async function load() {
  const reader = await import('zxing-wasm/reader');
  const file = await readFile(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
  await reader.prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(file).buffer },
    fireImmediately: true,
  });
  return reader;
}

/** Locates QR codes in a picture, also illegible ones. @param data four bytes per pixel. */
export async function qrCodesIn(data: Uint8ClampedArray, width: number, height: number): Promise<Area[]> {
  const { readBarcodes } = await (loading ??= load());
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

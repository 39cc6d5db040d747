import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { IconFile } from './resedit.ts';
import { loadResEdit } from './resedit.ts';

/** Pixels, from list rows to the largest tiles of Explorer. */
export const WIDTHS = [16, 20, 24, 32, 40, 48, 64, 256];
const BITS = 32;

/** Renders the product's icon for the Windows executable and, as `file`, for its installer. */
export async function drawProgramIcon(sign: string, file: string, out: string): Promise<IconFile['icons']> {
  const { Data } = await loadResEdit(out);
  const svg = await readFile(sign);
  const icon = new Data.IconFile();
  for (const width of WIDTHS) {
    const png = await sharp(svg, { density: 3 * width })
      .resize(width, width)
      .png({ compressionLevel: 9 })
      .toBuffer();
    const data = Data.RawIconItem.from(png, width, width, BITS);
    icon.icons.push({ width, height: width, bitCount: BITS, data });
  }
  await writeFile(file, Buffer.from(icon.generate()));
  return icon.icons;
}

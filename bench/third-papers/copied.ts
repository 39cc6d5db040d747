import { default as PdfDocument } from 'pdfkit';
import sharp from 'sharp';
import { openPdf } from '#server/reading/pdfium.ts';
import type { Dice } from '../unseen/random.ts';

const DPI = 200;

/** As from an office's copier that scans in black and white: no grey, edges ragged, up to two degrees crooked. */
export async function copied(bytes: Buffer, dice: Dice): Promise<Buffer> {
  const pdf = await openPdf(bytes);
  const document = new PdfDocument({ autoFirstPage: false });
  const parts: Buffer[] = [];
  document.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => document.on('end', resolve));
  for (let number = 1; number <= pdf.pages; number += 1) {
    const size = pdf.sizeOf(number);
    const [width, height] = [Math.round((size.width / 72) * DPI), Math.round((size.height / 72) * DPI)];
    const grey = Buffer.from(pdf.grey(number, width, height));
    for (let pixel = 0; pixel < grey.length; pixel += 1)
      grey[pixel] = Math.max(0, Math.min(255, grey[pixel]! + (dice.next() - 0.5) * 90));
    const { data, info } = await sharp(grey, { raw: { width, height, channels: 1 } })
      .rotate((dice.next() - 0.5) * 4, { background: 'white' })
      .blur(0.6)
      .threshold(dice.int(125, 165))
      .toColourspace('b-w')
      .png()
      .toBuffer({ resolveWithObject: true });
    const page: [number, number] = [(info.width / DPI) * 72, (info.height / DPI) * 72];
    document.addPage({ size: page, margin: 0 });
    document.image(data, 0, 0, { width: page[0], height: page[1] });
  }
  pdf.close();
  document.end();
  await ended;
  return Buffer.concat(parts);
}

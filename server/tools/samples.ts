import { crc32, deflateSync } from 'node:zlib';

/** A PDF with one page per list of lines. */
export function pdf(pages: string[][]): Buffer {
  const escaped = (line: string) => line.replaceAll(/[\\()]/g, String.raw`\$&`);
  const contents = pages.map((lines) => {
    const shown = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n');
    return `BT /F1 14 Tf 20 TL 72 760 Td\n${shown}\nET`;
  });
  const first = 4;
  const kids = pages.map((_, n) => `${first + n * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, n) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> ` +
        `/Contents ${first + n * 2 + 1} 0 R >>`,
      `<< /Length ${Buffer.byteLength(content, 'latin1')} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, n) => {
    const offset = Buffer.byteLength(body, 'latin1');
    body += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = Buffer.byteLength(body, 'latin1');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(body + table + trailer, 'latin1');
}

/** A PNG of `width` × `height` pixels; `colour` gives the colour of each. */
export function png(
  width: number,
  height: number,
  colour: (x: number, y: number) => [number, number, number],
): Buffer {
  const raw = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      raw.set(colour(x / width, y / height), y * (width * 3 + 1) + 1 + x * 3);
  }
  const chunk = (type: string, data: Buffer) => {
    const typeAndData = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(typeAndData));
    return Buffer.concat([length, typeAndData, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  // 8 bits per channel, RGB.
  header.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A landscape at sunset, as a sample photo. */
export const photo = (): Buffer =>
  png(960, 640, (x, y) => {
    const hill = 0.62 + 0.12 * Math.sin(x * 5) + 0.03 * Math.sin(x * 23);
    if (y > hill) return [30 + 40 * (1 - y), 70 + 60 * (1 - y), 50];
    const sun = Math.hypot(x - 0.7, (y - 0.35) * 0.66) < 0.07;
    return sun ? [255, 225, 150] : [250 - 120 * (1 - y), 150 + 40 * y, 110 + 110 * (1 - y)];
  });

/** A deterministic ledger of one year. */
export function ledger(year: number, rows = 120): string {
  const heads = ['Office rent', 'Professional fees', 'GST paid', 'Travel', 'Salary', 'Bank charges'];
  const lines = Array.from({ length: rows }, (_, n) => {
    const day = new Date(Date.UTC(year, 3, 1 + n * 3)).toISOString().slice(0, 10);
    return `${day},${heads[n % heads.length]},${((n * 7919) % 90_000) + 500}.00`;
  });
  return `Date,Head,Amount\n${lines.join('\n')}\n`;
}

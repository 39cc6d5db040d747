import { default as PdfDocument } from 'pdfkit';
import sharp from 'sharp';
import { openPdf } from '#server/reading/pdfium.ts';
import type { Dice } from './random.ts';

const SCAN_DPI = 200;

interface Grey {
  data: Buffer;
  width: number;
  height: number;
}

async function pagesOf(bytes: Buffer, dpi: number): Promise<Grey[]> {
  const pdf = await openPdf(bytes);
  try {
    return Array.from({ length: pdf.pages }, (_, index) => {
      const size = pdf.sizeOf(index + 1);
      const [width, height] = [Math.round((size.width / 72) * dpi), Math.round((size.height / 72) * dpi)];
      return { data: Buffer.from(pdf.grey(index + 1, width, height)), width, height };
    });
  } finally {
    pdf.close();
  }
}

/** Roughly normal. */
const noise = (dice: Dice): number => dice.next() + dice.next() + dice.next() - 1.5;

function speckled(dice: Dice, { data, width, height }: Grey, amount: number, specks: number): Grey {
  const out = Buffer.from(data);
  for (let index = 0; index < out.length; index += 1)
    out[index] = Math.max(0, Math.min(255, out[index]! + noise(dice) * amount));
  for (let nth = 0; nth < specks; nth += 1) out[Math.floor(dice.next() * out.length)] = 40;
  return { data: out, width, height };
}

const jpeg = (grey: Grey, quality: number): Promise<Buffer> =>
  sharp(grey.data, { raw: { width: grey.width, height: grey.height, channels: 1 } })
    .jpeg({ quality })
    .toBuffer();

/** As from the glass of an office's scanner: at 200 dpi, a little crooked, a little dirty, now and then on its head. */
export async function scanned(bytes: Buffer, dice: Dice): Promise<Buffer> {
  const pages = await pagesOf(bytes, SCAN_DPI);
  const document = new PdfDocument({ autoFirstPage: false });
  const parts: Buffer[] = [];
  document.on('data', (part: Buffer) => parts.push(part));
  const upsideDown = dice.chance(0.06);
  for (const page of pages) {
    const angle = (dice.next() - 0.5) * 3 + (upsideDown ? 180 : 0);
    const { data, info } = await sharp(page.data, {
      raw: { width: page.width, height: page.height, channels: 1 },
    })
      .blur(0.5)
      .linear(0.86, 26)
      .rotate(angle, { background: '#f2f2f2' })
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const picture = await jpeg(
      speckled(dice, { data, width: info.width, height: info.height }, 14, 300),
      dice.int(55, 80),
    );
    const size: [number, number] = [(info.width / SCAN_DPI) * 72, (info.height / SCAN_DPI) * 72];
    document.addPage({ size, margin: 0 });
    document.image(picture, 0, 0, { width: size[0], height: size[1] });
  }
  const ended = new Promise((resolve) => document.on('end', resolve));
  document.end();
  await ended;
  return Buffer.concat(parts);
}

/** The first page as a telephone sees it: from the side, with a shadow, on a table. */
export async function photographed(bytes: Buffer, dice: Dice): Promise<Buffer> {
  const page = (await pagesOf(bytes, 190))[0]!;
  const [wide, high] = [Math.round(page.width * 1.12), Math.round(page.height * 1.1)];
  const out = Buffer.alloc(wide * high);
  const corner = (x: number, y: number): [number, number] => [
    x + dice.next() * wide * 0.045,
    y + dice.next() * high * 0.04,
  ];
  const [a, b, c, d] = [
    corner(wide * 0.03, high * 0.03),
    corner(wide * 0.92, high * 0.03),
    corner(wide * 0.92, high * 0.92),
    corner(wide * 0.03, high * 0.92),
  ] as const;
  const inverse = homography([a, b, c, d], page.width, page.height);
  const [sx, sy] = [dice.next(), dice.next()];
  for (let y = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1) {
      const [u, v] = inverse(x, y);
      const shade = 1 - 0.42 * Math.hypot(x / wide - sx, y / high - sy) * 0.9;
      let value = 96;
      if (u >= 0 && v >= 0 && u < page.width - 1 && v < page.height - 1) {
        const [i, j] = [Math.floor(u), Math.floor(v)];
        const [fu, fv] = [u - i, v - j];
        const index = j * page.width + i;
        const top = page.data[index]! * (1 - fu) + page.data[index + 1]! * fu;
        const bottom = page.data[index + page.width]! * (1 - fu) + page.data[index + page.width + 1]! * fu;
        value = 22 + (top * (1 - fv) + bottom * fv) * 0.86;
      }
      out[y * wide + x] = Math.max(0, Math.min(255, value * shade));
    }
  const dirty = speckled(dice, { data: out, width: wide, height: high }, 10, 0);
  const { data, info } = await sharp(dirty.data, { raw: { width: wide, height: high, channels: 1 } })
    .blur(0.6)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return jpeg({ data, width: info.width, height: info.height }, 82);
}

/** From a point of the picture to one of the page, whose corners lie at `corners`, clockwise from the upper left. */
function homography(
  corners: readonly (readonly [number, number])[],
  width: number,
  height: number,
): (x: number, y: number) => [number, number] {
  const to = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ] as const;
  const rows = corners.flatMap(([x, y], index) => {
    const [u, v] = to[index]!;
    return [
      [x, y, 1, 0, 0, 0, -u * x, -u * y, u],
      [0, 0, 0, x, y, 1, -v * x, -v * y, v],
    ];
  });
  for (let index = 0; index < 8; index += 1) {
    const best = rows
      .slice(index)
      .reduce(
        (most, row, nth) => (Math.abs(row[index]!) > Math.abs(rows[most]![index]!) ? index + nth : most),
        index,
      );
    [rows[index], rows[best]] = [rows[best]!, rows[index]!];
    const lead = rows[index]![index]!;
    rows[index] = rows[index]!.map((value) => value / lead);
    for (let other = 0; other < 8; other += 1) {
      if (other === index) continue;
      const by = rows[other]![index]!;
      rows[other] = rows[other]!.map((value, nth) => value - by * rows[index]![nth]!);
    }
  }
  const [p, q, r, s, t, w, g, h] = rows.map((row) => row[8]!) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return (x, y) => {
    const z = g * x + h * y + 1;
    return [(p * x + q * y + r) / z, (s * x + t * y + w) / z];
  };
}

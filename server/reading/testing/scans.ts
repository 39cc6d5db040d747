import { createCanvas } from '@napi-rs/canvas';
import { FAMILIES, loadFonts } from '#server/fonts/india.ts';

export interface Drawn {
  /** Pixels. */
  width?: number;
  height?: number;
  /** Clockwise, in radians, as a careless scan lies. */
  lean?: number;
  /** Clockwise. */
  quarters?: number;
}

/** A page of print as a camera or a scanner gives it, each line with the left end where it is said. */
export async function drawn(
  lines: readonly string[],
  { width = 1240, height = 620, lean = 0, quarters = 0 }: Drawn = {},
): Promise<Buffer> {
  await loadFonts();
  const page = createCanvas(width, height);
  const context = page.getContext('2d');
  context.fillStyle = '#f4f2ec';
  context.fillRect(0, 0, width, height);
  context.translate(width / 2, height / 2);
  context.rotate(lean);
  context.translate(-width / 2, -height / 2);
  context.fillStyle = '#1b1b1b';
  context.font = `30px ${FAMILIES}`;
  for (const [index, line] of lines.entries()) context.fillText(line, 90, 110 + index * 62);
  if (quarters % 4 === 0) return page.encode('jpeg', 88);
  const swaps = quarters % 2 !== 0;
  const turned = createCanvas(swaps ? height : width, swaps ? width : height);
  const over = turned.getContext('2d');
  over.translate(turned.width / 2, turned.height / 2);
  over.rotate((quarters * Math.PI) / 2);
  over.drawImage(page, -width / 2, -height / 2);
  return turned.encode('jpeg', 88);
}

/** A PDF with a page for each part: lines of text, or a picture in JPEG that fills it. `rotation`: of all pages, in degrees. */
export function mixedPdf(
  parts: readonly (string[] | { jpeg: Buffer; width: number; height: number })[],
  rotation = 0,
): Buffer {
  const objects: Buffer[] = [];
  const add = (text: string, stream?: Buffer): number => {
    const body = stream
      ? Buffer.concat([
          Buffer.from(`${text.replace('>>', `/Length ${stream.length} >>`)}\nstream\n`),
          stream,
          Buffer.from('\nendstream'),
        ])
      : Buffer.from(text);
    return objects.push(body);
  };
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add('');
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const kids = parts.map((part) => {
    const isText = Array.isArray(part);
    const picture = isText
      ? 0
      : add(
          `<< /Type /XObject /Subtype /Image /Width ${part.width} /Height ${part.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode >>`,
          part.jpeg,
        );
    const height = isText ? 842 : Math.round((595 * part.height) / part.width);
    const content = isText
      ? `BT /F1 14 Tf 20 TL 72 760 Td\n${part.map((line) => `(${line}) Tj T*`).join('\n')}\nET`
      : `q 595 0 0 ${height} 0 0 cm /P Do Q`;
    const stream = add('<< >>', Buffer.from(content));
    const uses = isText ? '/Font << /F1 3 0 R >>' : `/XObject << /P ${picture} 0 R >>`;
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 ${height}] /Rotate ${rotation} /Resources << ${uses} >> /Contents ${stream} 0 R >>`,
    );
  });
  objects[1] = Buffer.from(
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`,
  );
  const pieces = [Buffer.from('%PDF-1.4\n')];
  let at = pieces[0]!.length;
  const offsets = objects.map((body, n) => {
    const piece = Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    const offset = `${String(at).padStart(10, '0')} 00000 n \n`;
    pieces.push(piece);
    at += piece.length;
    return offset;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.concat([...pieces, Buffer.from(table + trailer)]);
}

import { isPdf } from '#server/pdf/is-pdf.ts';

const ascii = (bytes: Buffer, from: number, text: string): boolean =>
  bytes.toString('latin1', from, from + text.length) === text;

const HEIC = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

/** Detects the type of a file by its first bytes, as an extension; null if unknown. @param extension that its name has. */
export function detectType(head: Buffer, extension: string): string | null {
  if (head.toString('hex', 0, 3) === 'ffd8ff') return 'jpg';
  if (head.toString('hex', 0, 8) === '89504e470d0a1a0a') return 'png';
  if (ascii(head, 0, 'GIF8')) return 'gif';
  if (ascii(head, 0, 'RIFF') && ascii(head, 8, 'WEBP')) return 'webp';
  if (ascii(head, 0, 'II*\0') || ascii(head, 0, 'MM\0*')) return 'tif';
  if (ascii(head, 4, 'ftyp') && HEIC.has(head.toString('latin1', 8, 12))) return 'heic';
  if (ascii(head, 0, 'PK\x03\x04')) return 'zip';
  if (head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1') return 'ole';
  return isPdf(head, extension) ? 'pdf' : null;
}

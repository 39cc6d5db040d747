import { crc32 } from 'node:zlib';

const UTF8_FLAG = 0x0800;
const UNICODE_PATH = 0x7075;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes 128 to 255 of code page 437, the encoding of names without the UTF-8 flag since DOS. */
const HIGH =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

const cp437 = (bytes: Buffer): string =>
  Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : HIGH[byte - 128])).join('');

function asUtf8(bytes: Buffer): string | null {
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** Info-ZIP's Unicode path field, valid only if it contains the checksum of the raw name. */
function unicodePath(field: Buffer | undefined, raw: Buffer): string | null {
  if (!field || field.length < 6 || field[0] !== 1) return null;
  return field.readUInt32LE(1) === crc32(raw) ? asUtf8(field.subarray(5)) : null;
}

/**
 * Decodes an entry's name: by the UTF-8 flag, else by Info-ZIP's field, else as UTF-8 if it is valid UTF-8 (macOS and most Linux tools
 * write it without the flag), else as code page 437.
 */
export function decodeName(raw: Buffer, flags: number, extra: Map<number, Buffer>): string {
  if (flags & UTF8_FLAG) return asUtf8(raw) ?? cp437(raw);
  return unicodePath(extra.get(UNICODE_PATH), raw) ?? asUtf8(raw) ?? cp437(raw);
}

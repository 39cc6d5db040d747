const starts = (bytes: Buffer, ...magic: number[]) => magic.every((byte, index) => bytes[index] === byte);

/** Detects the encoding of text by its byte order mark or its content; windows-1252 is the fallback. */
export function encodingOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (starts(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (starts(bytes, 0xfe, 0xff)) return 'utf-16be';
  // In UTF-16 without a byte order mark, every second byte of Latin text is zero.
  const head = bytes.subarray(0, 400);
  const zeros = (parity: number) => head.filter((byte, index) => byte === 0 && index % 2 === parity).length;
  if (zeros(1) > head.length / 4 && zeros(0) === 0) return 'utf-16le';
  if (zeros(0) > head.length / 4 && zeros(1) === 0) return 'utf-16be';
  try {
    // `bytes` may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

const DECLARED = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i;

/** Decodes an HTML page, by a detected Unicode encoding, its declared charset, or as windows-1252. */
export function decodePage(bytes: Buffer): string {
  const guess = encodingOf(bytes);
  const declared = DECLARED.exec(bytes.toString('latin1', 0, 4096))?.[1];
  if (declared && guess === 'windows-1252') {
    try {
      return new TextDecoder(declared).decode(bytes);
    } catch {
      // The declared charset is unknown.
    }
  }
  return new TextDecoder(guess).decode(bytes);
}

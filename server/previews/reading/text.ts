const starts = (bytes: Buffer, ...magic: number[]) => magic.every((byte, at) => bytes[at] === byte);

/** The encoding of text, by its mark or by whether it is valid: UTF-8, UTF-16, or what Windows writes otherwise. */
export function encodingOf(bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (starts(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (starts(bytes, 0xfe, 0xff)) return 'utf-16be';
  // Without a mark, every second byte of Latin text in UTF-16 is zero.
  const head = bytes.subarray(0, 400);
  const zeros = (parity: number) => head.filter((byte, at) => byte === 0 && at % 2 === parity).length;
  if (zeros(1) > head.length / 4 && zeros(0) === 0) return 'utf-16le';
  if (zeros(0) > head.length / 4 && zeros(1) === 0) return 'utf-16be';
  try {
    // The last letter may be cut in two.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

const DECLARED = /<meta[^>]+charset\s*=\s*["']?([\w-]+)/i;

/** A web page as text, by its mark, by what it says of itself, or as other text. */
export function decodePage(bytes: Buffer): string {
  const guess = encodingOf(bytes);
  const declared = DECLARED.exec(bytes.toString('latin1', 0, 4096))?.[1];
  if (declared && guess === 'windows-1252') {
    try {
      return new TextDecoder(declared).decode(bytes);
    } catch {
      // It names no encoding that there is.
    }
  }
  return new TextDecoder(guess).decode(bytes);
}

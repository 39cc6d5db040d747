import { SheetsUnreadable } from './contract.ts';
import type { Parts } from './office-package.ts';

/** All shared strings of a workbook, in UTF-16 units. */
const LETTERS_MAX = 24_000_000;
/** Excel's limit per cell. */
const CELL_LETTERS = 32_767;

/**
 * Collects the text of a cell or a shared string from its runs, without the phonetic hints (`rPh`) of East Asian
 * scripts.
 */
export function createTextCollector() {
  const parts: string[] = [];
  let letters = 0;
  let inText = false;
  let inAid = false;
  return {
    open(name: string): void {
      if (name === 'rPh') inAid = true;
      else if (name === 't' || name === 'v') inText = true;
    },
    close(name: string): void {
      if (name === 'rPh') inAid = false;
      else if (name === 't' || name === 'v') inText = false;
    },
    text(piece: string): void {
      if (!inText || inAid) return;
      letters += piece.length;
      // Eight times Excel's limit, since an escaped character takes seven letters.
      if (letters > 8 * CELL_LETTERS) throw new SheetsUnreadable('too_large');
      parts.push(piece);
    },
    /** The text collected since the last call. */
    take(): string {
      const text = parts.length === 1 ? parts[0]! : parts.join('');
      parts.length = 0;
      letters = 0;
      return text;
    },
  };
}

/** Decodes characters that XML cannot hold, written as `_x000D_`. */
export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;

/** The shared strings, which cells refer to by index. @throws {SheetsUnreadable} */
export async function readStrings(parts: Parts, path: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (path === undefined || !parts.has(path)) return strings;
  const collector = createTextCollector();
  let letters = 0;
  await parts.read(path, {
    open: collector.open,
    text: collector.text,
    close(name) {
      collector.close(name);
      if (name !== 'si') return;
      const text = decodeEscapes(collector.take()).trim();
      letters += text.length + 16;
      if (letters > LETTERS_MAX) throw new SheetsUnreadable('too_large');
      strings.push(text);
    },
  });
  return strings;
}

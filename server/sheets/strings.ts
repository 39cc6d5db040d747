import { SheetsUnreadable } from './contract.ts';
import type { Parts } from './parts.ts';

/** Of all shared texts of a workbook, in UTF-16 units. */
const LETTERS_MAX = 24_000_000;
/** What Excel lets into one cell. */
const CELL_LETTERS = 32_767;

/** Gathers the text of a cell, or of a shared text: its runs, without the reading aids (`rPh`) of East Asian scripts. */
export function createGathering() {
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
      // Twice as much, since what stands for a sign takes seven letters.
      if (letters > 8 * CELL_LETTERS) throw new SheetsUnreadable('too_large');
      parts.push(piece);
    },
    /** What was gathered since the last time. */
    take(): string {
      const text = parts.length === 1 ? parts[0]! : parts.join('');
      parts.length = 0;
      letters = 0;
      return text;
    },
  };
}

/** Signs that XML cannot hold are written `_x000D_`. */
export const readSigns = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;

/** The texts that cells name by their place. @throws {SheetsUnreadable} */
export async function readStrings(parts: Parts, path: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (path === undefined || !parts.has(path)) return strings;
  const gathering = createGathering();
  let letters = 0;
  await parts.read(path, {
    open: gathering.open,
    text: gathering.text,
    close(name) {
      gathering.close(name);
      if (name !== 'si') return;
      const text = readSigns(gathering.take()).trim();
      letters += text.length + 16;
      if (letters > LETTERS_MAX) throw new SheetsUnreadable('too_large');
      strings.push(text);
    },
  });
  return strings;
}

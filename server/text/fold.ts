const ASCII = /^[\x20-\x7e]*$/;
// Marks of these blocks are accents of Latin, Greek and Cyrillic. The marks of Indic scripts are vowels: they stay.
const ACCENTS = /[\u0300-\u036f]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]/g;
// Joiners and direction marks change how text is drawn, not what it says.
const INVISIBLE = /\p{Cf}/gu;

/** Normalizes text for search and ordering: ignores case, accents, width and invisible characters. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  // Upper case first: it decomposes characters that lower case leaves alone, such as ß and ſ.
  return text
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(INVISIBLE, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC');
}

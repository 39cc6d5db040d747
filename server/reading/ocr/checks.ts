const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The last letter of a GSTIN or of an ARN, by the fourteen before it. */
function checkLetter(text: string): string {
  let sum = 0;
  for (let at = 0; at < 14; at += 1) {
    const product = DIGITS.indexOf(text[at]!) * (at % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return DIGITS[(36 - (sum % 36)) % 36]!;
}

/** 9 stands for a digit, A for a letter, X for either. */
const GSTIN = '99AAAAA9999AXXX';
const fits = (text: string, shape: string): boolean =>
  text.length === shape.length &&
  Array.from(shape).every((kind, at) => {
    const letter = text[at]!;
    return kind === '9' ? /\d/.test(letter) : kind === 'A' ? /[A-Z]/.test(letter) : /[A-Z\d]/.test(letter);
  });

/** Whether it is a GSTIN whose check letter is right. */
export const isGstin = (text: string): boolean => fits(text, GSTIN) && checkLetter(text) === text[14];

/** A number with its commas as in India or elsewhere, and two digits behind the point. */
const AMOUNT = /^-?(?:\d{1,3}|\d{1,2}(?:,\d{2})*,\d{3}|\d{1,3}(?:,\d{3})+)\.\d{2}$/;
const DATE = /^(?:0[1-9]|[12]\d|3[01])([-/.])(?:0[1-9]|1[0-2])\1(?:19|20)\d\d$/;
const PAN = /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/;
const TAN = /^[A-Z]{4}\d{5}[A-Z]$/;
const IFSC = /^[A-Z]{4}0[A-Z\d]{6}$/;

/** How much a word looks like what it could only be by being read well: 2 with a check letter, 1 by its form, else 0. */
export function formOf(word: string): 0 | 1 | 2 {
  const text = word.replace(/^[^\w]+|[^\w]+$/g, '');
  if (isGstin(text)) return 2;
  return AMOUNT.test(text) || DATE.test(text) || PAN.test(text) || TAN.test(text) || IFSC.test(text) ? 1 : 0;
}

/** What is taken for another at a place where only letters, or only digits, stand. */
const AS_DIGIT: Record<string, string> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  L: '1',
  S: '5',
  B: '8',
  Z: '2',
  G: '6',
};
const AS_LETTER: Record<string, string> = { 0: 'O', 1: 'I', 5: 'S', 8: 'B', 2: 'Z', 6: 'G', 4: 'A' };
const MIXED: Record<string, string> = {
  O: '0',
  0: 'O',
  I: '1',
  1: 'I',
  S: '5',
  5: 'S',
  B: '8',
  8: 'B',
  Z: '2',
  2: 'Z',
  G: '6',
  6: 'G',
};
/** More ways to read one than this are guessing. */
const WAYS_MAX = 64;

/**
 * The one GSTIN with a right check letter that these readings of a word leave room for: at each place what one of them
 * saw, or what looks like it and may stand there. Null when there is none, or more than one.
 */
export function gstinOf(readings: readonly string[]): string | null {
  const texts = readings.map((text) => text.toUpperCase()).filter((text) => text.length === GSTIN.length);
  if (texts.length === 0) return null;
  let ways = [''];
  for (const [at, kind] of Array.from(GSTIN).entries()) {
    const may = new Set<string>();
    for (const text of texts) {
      const seen = text[at]!;
      if (kind === '9') may.add(/\d/.test(seen) ? seen : (AS_DIGIT[seen] ?? ''));
      else if (kind === 'A') may.add(/[A-Z]/.test(seen) ? seen : (AS_LETTER[seen] ?? ''));
      else {
        may.add(seen);
        // The last one is what proves all others: it is never guessed. The last but one is nearly always a Z.
        if (at === 13 && seen === '2') may.add('Z');
        else if (at === 12 && MIXED[seen]) may.add(MIXED[seen]);
      }
    }
    may.delete('');
    ways = ways.flatMap((way) => Array.from(may, (letter) => way + letter));
    if (ways.length === 0 || ways.length > WAYS_MAX) return null;
  }
  const right = ways.filter(isGstin);
  return right.length === 1 ? right[0]! : null;
}

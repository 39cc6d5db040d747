const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The check character of a GSTIN or an ARN, from the fourteen characters before it. */
function checkCharacter(text: string): string {
  let sum = 0;
  for (let index = 0; index < 14; index += 1) {
    const product = DIGITS.indexOf(text[index]!) * (index % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return DIGITS[(36 - (sum % 36)) % 36]!;
}

/** 9 is a digit, A a letter, X either. */
const GSTIN_SHAPE = '99AAAAA9999AXXX';
const hasShape = (text: string, shape: string): boolean =>
  text.length === shape.length &&
  Array.from(shape).every((kind, index) => {
    const letter = text[index]!;
    return kind === '9' ? /\d/.test(letter) : kind === 'A' ? /[A-Z]/.test(letter) : /[A-Z\d]/.test(letter);
  });

/** Whether a text is a GSTIN with a correct check character. */
const isGstin = (text: string): boolean => hasShape(text, GSTIN_SHAPE) && checkCharacter(text) === text[14];

/** An amount with Indian or western grouping and two decimals. */
const AMOUNT = /^-?(?:\d{1,3}|\d{1,2}(?:,\d{2})*,\d{3}|\d{1,3}(?:,\d{3})+)\.\d{2}$/;
const DATE = /^(?:0[1-9]|[12]\d|3[01])([-/.])(?:0[1-9]|1[0-2])\1(?:19|20)\d\d$/;
const PAN = /^[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]$/;
const TAN = /^[A-Z]{4}\d{5}[A-Z]$/;
const IFSC = /^[A-Z]{4}0[A-Z\d]{6}$/;

/** How plausible a word is by its format: 2 with a correct check character, 1 with a known format, else 0. */
export function plausibilityOf(word: string): 0 | 1 | 2 {
  const text = word.replace(/^[^\w]+|[^\w]+$/g, '');
  if (isGstin(text)) return 2;
  return AMOUNT.test(text) || DATE.test(text) || PAN.test(text) || TAN.test(text) || IFSC.test(text) ? 1 : 0;
}

/** Common confusions in a position for digits only, or for letters only. */
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
/** More candidates than this are guesswork. */
const CANDIDATES_MAX = 64;

/**
 * Repairs a GSTIN from several readings of a word: the only text with a correct check character whose characters are,
 * at each position, one that was read or one that it is confused with. Null when there is none, or more than one.
 */
export function repairGstin(readings: readonly string[]): string | null {
  const texts = readings
    .map((text) => text.toUpperCase())
    .filter((text) => text.length === GSTIN_SHAPE.length);
  if (texts.length === 0) return null;
  let candidates = [''];
  for (const [index, kind] of Array.from(GSTIN_SHAPE).entries()) {
    const allowed = new Set<string>();
    for (const text of texts) {
      const seen = text[index]!;
      if (kind === '9') allowed.add(/\d/.test(seen) ? seen : (AS_DIGIT[seen] ?? ''));
      else if (kind === 'A') allowed.add(/[A-Z]/.test(seen) ? seen : (AS_LETTER[seen] ?? ''));
      else {
        allowed.add(seen);
        // The check character proves the others, so it is never guessed. The last but one is nearly always Z, and the
        // one before it a digit.
        if (index === 13 && seen === '2') allowed.add('Z');
        else if (index === 12) allowed.add(AS_DIGIT[seen] ?? '');
      }
    }
    allowed.delete('');
    candidates = candidates.flatMap((prefix) => Array.from(allowed, (letter) => prefix + letter));
    if (candidates.length === 0 || candidates.length > CANDIDATES_MAX) return null;
  }
  const valid = candidates.filter(isGstin);
  return valid.length === 1 ? valid[0]! : null;
}

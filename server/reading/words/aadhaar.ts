// prettier-ignore
const D = [
  [0,1,2,3,4,5,6,7,8,9],[1,2,3,4,0,6,7,8,9,5],[2,3,4,0,1,7,8,9,5,6],[3,4,0,1,2,8,9,5,6,7],[4,0,1,2,3,9,5,6,7,8],
  [5,9,8,7,6,0,4,3,2,1],[6,5,9,8,7,1,0,4,3,2],[7,6,5,9,8,2,1,0,4,3],[8,7,6,5,9,3,2,1,0,4],[9,8,7,6,5,4,3,2,1,0],
];
// prettier-ignore
const P = [
  [0,1,2,3,4,5,6,7,8,9],[1,5,7,6,2,8,3,0,9,4],[5,8,0,3,7,9,6,1,4,2],[8,9,1,6,0,4,3,5,2,7],
  [9,4,5,3,1,2,6,8,7,0],[4,2,8,6,5,7,3,9,0,1],[2,7,9,3,8,0,6,4,1,5],[7,0,4,6,9,1,3,2,5,8],
];

/** Whether the last digit is the check digit of the others, as Verhoeff defines it. @param digits ASCII. */
export function hasCheckDigit(digits: string): boolean {
  let check = 0;
  for (let at = 0; at < digits.length; at += 1)
    check = D[check]![P[at % 8]![Number(digits[digits.length - 1 - at])]!]!;
  return check === 0;
}

// Twelve digits, in one piece or in three; the sign between the groups is whatever a printer or a clerk chose.
const TWELVE =
  /(?<![\p{Nd}])(?<!\p{Nd}[\s-])(\p{Nd}{4})([\s\u00a0.\-–—/]?)(\p{Nd}{4})([\s\u00a0.\-–—/]?)(\p{Nd}{4})(?!\p{Nd})(?![\s-]\p{Nd}{4})/gu;

const DIGITS = /\p{Nd}/gu;
/** Outside of ASCII. */
const OTHER_SIGN = /[^\0-\x7f]/;

/** Digits of any script as 0 to 9. */
export const asciiDigits = (text: string): string =>
  // The digits of a script follow each other, and the blocks of ten begin at a multiple of ten from one of these zeros.
  OTHER_SIGN.test(text) ? text.replace(DIGITS, (sign) => (sign <= '9' ? sign : String(valueOf(sign)))) : text;

function valueOf(sign: string): number {
  const code = sign.codePointAt(0)!;
  for (let value = 0; value < 10; value += 1)
    if (!/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) return value;
  return (code - 0x1d7ce) % 10;
}

/**
 * Text in which of every number that may be an Aadhaar number only the last four digits are left, each other digit
 * replaced by an X, so that every place in the text stays where it was.
 * @returns the numbers too, twelve digits each, for a keyed hash and for nothing else.
 */
export function withoutAadhaar(text: string): { text: string; numbers: string[] } {
  const numbers: string[] = [];
  const masked = text.replace(TWELVE, (whole, a: string, s: string, b: string, t: string, c: string) => {
    const digits = asciiDigits(a + b + c);
    if (digits[0]! < '2' || !hasCheckDigit(digits)) return whole;
    numbers.push(digits);
    return `${'X'.repeat(a.length)}${s}${'X'.repeat(b.length)}${t}${c}`;
  });
  return { text: masked, numbers };
}

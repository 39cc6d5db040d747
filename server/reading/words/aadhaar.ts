/** The multiplication and permutation tables of Verhoeff's algorithm. */
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

/** Whether the last digit is the Verhoeff check digit of the others. @param digits ASCII. */
export function hasCheckDigit(digits: string): boolean {
  let check = 0;
  for (let at = 0; at < digits.length; at += 1)
    check = D[check]![P[at % 8]![Number(digits[digits.length - 1 - at])]!]!;
  return check === 0;
}

// Twelve digits, in one piece or three groups; the separator varies with the printer or writer.
const TWELVE =
  /(?<![\p{Nd}])(?<!\p{Nd}[\s-])(\p{Nd}{4})([\s\u00a0.\-–—/]?)(\p{Nd}{4})([\s\u00a0.\-–—/]?)(\p{Nd}{4})(?!\p{Nd})(?![\s-]\p{Nd}{4})/gu;

const DIGITS = /\p{Nd}/gu;
const NON_ASCII = /[^\0-\x7f]/;

/** Converts digits of any script to ASCII. */
export const asciiDigits = (text: string): string =>
  // The ten digits of a script are consecutive code points, so the distance from its zero is the value.
  NON_ASCII.test(text) ? text.replace(DIGITS, (sign) => (sign <= '9' ? sign : String(valueOf(sign)))) : text;

function valueOf(sign: string): number {
  const code = sign.codePointAt(0)!;
  for (let value = 0; value < 10; value += 1)
    if (!/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) return value;
  return (code - 0x1d7ce) % 10;
}

/**
 * Masks numbers that may be Aadhaar numbers: every digit but the last four becomes an X, so that positions in the
 * text stay the same.
 * @returns also the numbers, twelve digits each, only for keyed hashes.
 */
export function maskAadhaar(text: string): { text: string; numbers: string[] } {
  const numbers: string[] = [];
  const masked = text.replace(
    TWELVE,
    (match, a: string, gap1: string, b: string, gap2: string, c: string) => {
      const digits = asciiDigits(a + b + c);
      if (digits[0]! < '2' || !hasCheckDigit(digits)) return match;
      numbers.push(digits);
      return `${'X'.repeat(a.length)}${gap1}${'X'.repeat(b.length)}${gap2}${c}`;
    },
  );
  return { text: masked, numbers };
}

import { verhoeffHolds } from './check-digits.ts';

/**
 * What stands between the groups of an Aadhaar number varies with its printer or writer: a blank, a point, a slash, a low
 * line, any kind of dash, the minus sign, or a character without width. For regular expressions with the flag `u`.
 */
export const GAP_OF_AADHAAR = String.raw`[\s._/\u2212\p{Pd}\p{Cf}]`;

const FOUR = String.raw`(\p{Nd}{4})`;
// Twelve digits, in one piece or three groups.
const TWELVE = new RegExp(
  String.raw`(?<![\p{Nd}])(?<!\p{Nd}[\s-])${FOUR}(${GAP_OF_AADHAAR}?)${FOUR}(${GAP_OF_AADHAAR}?)${FOUR}(?!\p{Nd})(?![\s-]\p{Nd}{4})`,
  'gu',
);

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

const MASKED = new RegExp(`X{4}${GAP_OF_AADHAAR}?X{4}${GAP_OF_AADHAAR}?\\p{Nd}{4}`, 'u');

/** Whether a text has what may be an Aadhaar number, masked or not. */
export const hasAadhaar = (text: string): boolean =>
  MASKED.test(text) || maskAadhaar(text).numbers.length > 0;

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
      if (digits[0]! < '2' || !verhoeffHolds(digits)) return match;
      numbers.push(digits);
      return `${'X'.repeat(a.length)}${gap1}${'X'.repeat(b.length)}${gap2}${c}`;
    },
  );
  return { text: masked, numbers };
}

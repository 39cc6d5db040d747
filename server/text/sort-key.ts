import { fold } from '#server/text/fold.ts';

// Below every character that a name can hold, so that `a` comes before `a b`.
const END = '\u0001';
/** Beyond this many characters names are ordered by their raw text. */
const KEY_MAX = 255;

/**
 * A text whose code point order (SQLite's and PostgreSQL's "C") is the natural order of names: numbers by value
 * in the digits of any script, case and accents only between otherwise equal names, `report` before `report (2)`.
 * At most 600 characters.
 */
export function sortKey(name: string): string {
  const folded = fold(name);
  const dot = folded.lastIndexOf('.');
  // The end of the stem comes before any character of a longer stem, which the dot would not.
  const parts = dot > 0 ? folded.slice(0, dot) + END + folded.slice(dot + 1) : folded;
  const key = parts.replace(/\p{Nd}+/gu, byValue).slice(0, KEY_MAX);
  return (key + END + END + name).toWellFormed();
}

/** A number's count of digits stands before its digits, so that a longer one comes later. */
function byValue(run: string): string {
  const digits = Array.from(run, digitValue)
    .join('')
    .replace(/^0+(?=.)/, '');
  return `0${String.fromCodePoint(0x30 + digits.length)}${digits}`;
}

/** Unicode keeps the ten digits of every script in a row, zero first. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0)!;
  if (code < 0x3a) return code - 0x30;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

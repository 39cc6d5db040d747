import { fold } from '#server/text/fold.ts';

// Sorts before every character of a name, so that `a` precedes `a b`.
const END = '\u0001';
/** The length of the natural key; names equal in it are ordered by their raw text. */
const KEY_MAX = 255;

/**
 * A key whose code point order (SQLite's and PostgreSQL's "C") is the natural order of names: numbers in the digits of any
 * script by value, case and accents only between otherwise equal names, `report` before `report (2)`. At most 600
 * characters.
 */
export function sortKey(name: string): string {
  const folded = fold(name);
  const dot = folded.lastIndexOf('.');
  // The end mark of the stem sorts before any character of a longer stem; a dot would not.
  const parts = dot > 0 ? folded.slice(0, dot) + END + folded.slice(dot + 1) : folded;
  const key = parts.replace(/\p{Nd}+/gu, byValue).slice(0, KEY_MAX);
  return (key + END + END + name).toWellFormed();
}

/** Prefixes a number with its count of digits, so that longer numbers sort later. */
function byValue(run: string): string {
  const digits = Array.from(run, digitValue)
    .join('')
    .replace(/^0+(?=.)/, '');
  return `0${String.fromCodePoint(0x30 + digits.length)}${digits}`;
}

/** Unicode encodes the ten digits of every script consecutively, from zero. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0)!;
  if (code < 0x3a) return code - 0x30;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return (code - zero) % 10;
}

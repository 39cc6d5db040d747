import { asciiDigits } from '#server/text/aadhaar.ts';
import { fold } from '#server/text/fold.ts';
import { daysIn, yearsIn } from './dates.ts';

/** A word and its position. */
export interface Word {
  /** In UTF-16 units; `end` is exclusive. */
  start: number;
  end: number;
  /** Its normal form: folded, a number without commas. */
  term: string;
}

/** The classes of characters that words consist of. */
interface Alphabet {
  letter: string;
  digit: string;
  /** Letters with combining marks (vowel signs of Indian scripts), joiners and digits. */
  any: string;
}

/**
 * A number with separators, otherwise a run of letters and digits. What is printed directly before an amount or behind it
 * is a word of its own: `Rs.1,20,000.00`, `INR1,20,000`, `1,20,000.50Cr`.
 */
function wordPattern({ letter, digit, any }: Alphabet, flags: string): RegExp {
  const rupees = `(?<!${any})(?:[Rr][Ss]|[Ii][Nn][Rr])`;
  const end = `(?:(?!${any})|(?=[CcDd][Rr](?!${any})))`;
  const grouped = `${digit}{1,3}(?:,${digit}{2,3})+(?:\\.${digit}+)?${end}`;
  const decimal = `${digit}+\\.${digit}{1,2}(?!\\.${digit})${end}`;
  const alternatives = [
    `(?<!${digit}|,|(?<!${letter})\\.)${grouped}`,
    `(?:(?<!${any}|[.,])|(?<=${rupees}\\.?))${decimal}`,
    `(?<!${any})${letter}+(?=${grouped})`,
    `${rupees}(?=${decimal}|${digit}+${end})`,
    `${any}+`,
  ];
  return new RegExp(alternatives.join('|'), flags);
}
const WORD = wordPattern(
  { letter: '[\\p{L}\\p{M}]', digit: '\\p{Nd}', any: '[\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{No}\\u200c\\u200d]' },
  'gu',
);
/** The same for a text whose letters, marks and digits are all ASCII, as most are: three times as fast. */
const ASCII_WORD = wordPattern({ letter: '[A-Za-z]', digit: '\\d', any: '[A-Za-z\\d]' }, 'g');
const NON_ASCII = /(?![\0-\x7f])[\p{L}\p{M}\p{N}\u200c\u200d]/u;
const NUMBER = /^[\d,]+(?:\.\d+)?$/;
/** Longer words are data: they are cut and match by their beginning. */
const TERM_MAX = 64;

function termOf(text: string): string {
  const folded = asciiDigits(fold(text));
  if (!NUMBER.test(folded)) return folded.slice(0, TERM_MAX);
  const plain = folded.replaceAll(',', '');
  return (plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain).slice(0, TERM_MAX);
}

/** The words of a text in their order. */
export function* wordsOf(text: string): Generator<Word> {
  for (const match of text.matchAll(NON_ASCII.test(text) ? WORD : ASCII_WORD)) {
    const term = termOf(match[0]);
    if (term !== '') yield { start: match.index, end: match.index + match[0].length, term };
  }
}

/** The dates and years in a text as terms in a normal form: `day 2026-04-07`, `year 2025`. */
export function namedIn(text: string): Word[] {
  if (!/\p{Nd}/u.test(text)) return [];
  const plain = asciiDigits(text);
  // Digits outside of the Basic Multilingual Plane would shift positions; office documents have none.
  if (plain.length !== text.length) return [];
  return [
    ...daysIn(plain).map((span) => ({ ...span, term: `day ${span.term}` })),
    ...yearsIn(plain).map((span) => ({ ...span, term: `year ${span.term}` })),
  ];
}

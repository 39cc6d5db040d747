import { fold } from '#server/text/fold.ts';
import { asciiDigits } from './aadhaar.ts';
import { daysIn, yearsIn } from './dates.ts';

/** A word where it stands. */
export interface Word {
  /** In UTF-16 units; the end is behind it. */
  start: number;
  end: number;
  /** As it is compared: folded, a number without its commas. */
  term: string;
}

// A number as people write it; otherwise letters with their marks (vowels in the scripts of India), joiners, digits.
const WORD =
  /(?<![\p{L}\p{Nd}.,])\p{Nd}{1,3}(?:,\p{Nd}{2,3})+(?:\.\p{Nd}+)?(?![\p{L}\p{Nd}])|(?<![\p{L}\p{Nd}.,])\p{Nd}+\.\p{Nd}{1,2}(?![\p{L}\p{Nd}.])|[\p{L}\p{M}\p{Nd}\p{Nl}\p{No}\u200c\u200d]+/gu;
/** The same for a text without letters, marks and digits outside of ASCII: three times as fast, and that is most of them. */
const ASCII_WORD =
  /(?<![A-Za-z\d.,])\d{1,3}(?:,\d{2,3})+(?:\.\d+)?(?![A-Za-z\d])|(?<![A-Za-z\d.,])\d+\.\d{1,2}(?![A-Za-z\d.])|[A-Za-z\d]+/g;
const OTHER_SIGN = /(?![\0-\x7f])[\p{L}\p{M}\p{N}\u200c\u200d]/u;
const NUMBER = /^[\d,]+(?:\.\d+)?$/;
/** What is longer is no word but data: it is looked for by its beginning. */
const LONGEST = 64;

function termOf(text: string): string {
  const folded = asciiDigits(fold(text));
  if (!NUMBER.test(folded)) return folded.slice(0, LONGEST);
  const plain = folded.replaceAll(',', '');
  return (plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain).slice(0, LONGEST);
}

/** The words of a text in their order. */
export function* wordsOf(text: string): Generator<Word> {
  for (const match of text.matchAll(OTHER_SIGN.test(text) ? WORD : ASCII_WORD)) {
    const term = termOf(match[0]);
    if (term !== '') yield { start: match.index, end: match.index + match[0].length, term };
  }
}

/** Days and years that a text names in whatever form, as terms of their own: `day 2026-04-07`, `year 2025`. */
export function namedIn(text: string): Word[] {
  if (!/\p{Nd}/u.test(text)) return [];
  const plain = asciiDigits(text);
  // Digits outside of the first plane would move every place behind them; no document of an office has them.
  if (plain.length !== text.length) return [];
  return [
    ...daysIn(plain).map((span) => ({ ...span, term: `day ${span.term}` })),
    ...yearsIn(plain).map((span) => ({ ...span, term: `year ${span.term}` })),
  ];
}

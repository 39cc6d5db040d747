import { fold } from '#server/text/fold.ts';
import { formsIn } from '#server/text/income-tax-forms.ts';
import { yearOf } from '#server/text/years.ts';
import { identifiersIn } from '#server/text/spaced-identifiers.ts';
import {
  SINGLE_CHARACTER,
  WORD_STARTS,
  joinLettersAndDigits,
  synonymsOf,
  splitWords,
  yearIn,
} from './grams.ts';

/** A query prepared once to be matched against many names. */
export interface Pattern {
  text: string;
  joined: string;
  words: WordPattern[];
}

interface WordPattern {
  text: string;
  joined: string;
  single: boolean;
  /** Matches the synonyms of a form or a year; see `synonymsOf`. */
  synonyms: RegExp | null;
}

/** Not within a date, such as `2011_12_05`. */
const YEAR =
  /(?<![\p{L}\p{N}]|\d[-_/])(?:[fat]\.?y\.?[\s:._-]*)?20\d{2}[-_/–](?:20)?\d{2}(?![\p{L}\p{N}]|[-_/]\d)/gu;

/** A year with a hyphen, whatever separates its parts: `2025-26` for `2025_26`, `fy2025-26` for `F.Y. 2025/26`. */
function yearWord(written: string): string {
  const [, kind = '', from, to] = /^(\D*)(\d+)\D(\d+)$/.exec(written)!;
  const year = `${kind.replace(/[^a-z]/g, '')}${from}-${to}`;
  return yearOf(year) === null ? written : year;
}

/** Joins each form, year and identifier with blanks (such as a PAN) to one word: `form16a`, `ay2026-27`. */
function joinSpacedTerms(folded: string): string {
  const forms = formsIn(folded).map(({ start, end, number }) => ({
    start,
    end,
    word: folded.startsWith('form', start) ? `form${number}` : number,
  }));
  const identifiers = identifiersIn(folded).map(({ start, end, plain }) => ({ start, end, word: plain }));
  const years = Array.from(folded.matchAll(YEAR), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    word: yearWord(match[0]),
  }));
  let [result, position] = ['', 0];
  const terms = [...identifiers, ...years, ...forms].toSorted((a, b) => a.start - b.start);
  for (const { start, end, word } of terms) {
    if (start < position) continue;
    result += folded.slice(position, start) + word;
    position = end;
  }
  return result + folded.slice(position);
}

/** Normalizes a query for matching. Unlike a stored name, it may contain control characters and lone surrogates. */
export const normalizeQuery = (query: string): string =>
  joinSpacedTerms(fold(query.toWellFormed().replace(/\p{Cc}/gu, ' ')).trim());

/** The source of a regular expression with optional separators between letters and digits, and any separator within a year. */
const spelledPattern = (word: string): string =>
  word
    .replace(/(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/gu, '[\\s._-]*')
    .replace(/(?<=\d{4})-(?=\d)/, '(?:\\s*[-–_/]\\s*|\\s+)');
/** A plain year must not follow `ay`, which means another year. */
const synonymPattern = (synonym: string): string =>
  (/^\d{4}-/.test(synonym) ? '(?<!a\\.?y\\.?[\\s:._-]*)' : '') + spelledPattern(synonym);

function wordPattern(word: string): WordPattern {
  const others = synonymsOf(word).map(synonymPattern);
  // Written with another separator, a year is the same word.
  const synonyms = yearIn(word) === null ? others : [spelledPattern(word), ...others];
  const source = `(?<![\\p{L}\\p{N}])(?:${synonyms.join('|')})(?![\\p{L}\\p{N}])`;
  const regExp = synonyms.length === 0 ? null : new RegExp(source, 'u');
  return {
    text: word,
    joined: joinLettersAndDigits(word),
    single: SINGLE_CHARACTER.test(word),
    synonyms: regExp,
  };
}

export function createPattern(query: string): Pattern {
  const text = normalizeQuery(query);
  return { text, joined: joinLettersAndDigits(text), words: splitWords(text).map(wordPattern) };
}

/** Whether a folded name contains every word; a single letter or digit must start a word there. @param joined `joinLettersAndDigits(text)`. */
export function matchesFolded(text: string, joined: string, pattern: Pattern): boolean {
  return pattern.words.every((word) =>
    word.single
      ? text.includes(word.text) && wordStarts(text).includes(word.text)
      : text.includes(word.text) || joined.includes(word.joined) || word.synonyms?.test(text) === true,
  );
}

/** `matchesFolded` for a text that is matched only once. @param text folded. */
export const matchesText = (text: string, pattern: Pattern): boolean =>
  matchesFolded(text, joinLettersAndDigits(text), pattern);

const wordStarts = (name: string): string[] => Array.from(name.matchAll(WORD_STARTS), ([letter]) => letter);

export type NameMatcher = (name: string) => boolean;

/** Builds the predicate for the names that contain every word of the query. */
export function createNameMatcher(query: string): NameMatcher {
  const pattern = createPattern(query);
  return (name) => {
    const text = fold(name);
    return matchesFolded(text, joinLettersAndDigits(text), pattern);
  };
}

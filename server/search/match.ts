import { fold } from '#server/text/fold.ts';
import { formsIn } from '#server/text/income-tax-forms.ts';
import { plain, plainWord } from '#server/text/plain-name.ts';
import { identifiersIn } from '#server/text/spaced-identifiers.ts';
import {
  ASSESSMENT_YEAR,
  BEFORE_FIGURES,
  BEFORE_WORDS,
  FINANCIAL_YEAR,
  NOT_ASSESSED,
} from '#server/text/written-years.ts';
import { yearOf } from '#server/text/years.ts';
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
  /** Whether only `synonyms` match, as for `ay2025-26`, which is also in `may2025-26`. */
  isKindOfYear: boolean;
  /** Matches the synonyms of a form or a year; see `synonymsOf`. */
  synonyms: RegExp | null;
}

/** Not within a date, such as `2011_12_05`. */
const YEAR = new RegExp(
  String.raw`(?<![\p{L}\p{N}]|\d[-_/])(?:(?:(?<ay>${ASSESSMENT_YEAR})|(?<fy>${FINANCIAL_YEAR})|(?<ty>t\.?y))${BEFORE_FIGURES})?(?<from>20\d{2})[-_/–](?<to>(?:20)?\d{2})(?![\p{L}\p{N}]|[-_/]\d)`,
  'gu',
);

/**
 * A year with a hyphen and two letters for its kind, whatever separates its parts: `2025-26` for `2025_26`, `fy2025-26` for
 * `F.Y. 2025/26`, `ay2026-27` for `asst. year 2026-27`.
 */
function yearWord({ 0: written, groups }: RegExpExecArray): string {
  const { ay, fy, ty, from, to } = groups!;
  const year = `${ay ? 'ay' : fy ? 'fy' : ty ? 'ty' : ''}${from}-${to}`;
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
    word: yearWord(match),
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

/** How a name may spell the kind of a year. */
const KINDS: Record<string, string> = {
  ay: BEFORE_WORDS + ASSESSMENT_YEAR + BEFORE_FIGURES,
  fy: BEFORE_WORDS + FINANCIAL_YEAR + BEFORE_FIGURES,
};
const NOT_WITHIN = '(?<![\\p{L}\\p{N}])';
const KIND = /^[af]y(?=\d{4}-)/;
/** The source of a regular expression with optional separators between letters and digits, and any separator within a year. */
const spelledPattern = (word: string): string =>
  word
    .replace(/(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/gu, '[\\s._-]*')
    .replace(/(?<=\d{4})-(?=\d)/, '(?:\\s*[-–_/]\\s*|\\s+)');
/** The same for a year, with its kind in any words. A plain year must not follow those of `ay`, which means another year. */
function yearPattern(year: string): string {
  const kind = KIND.exec(year)?.[0];
  if (kind) return KINDS[kind]! + spelledPattern(year.slice(2));
  return NOT_WITHIN + (/^\d{4}-/.test(year) ? NOT_ASSESSED : '') + spelledPattern(year);
}

function wordPattern(word: string): WordPattern {
  const isYear = yearIn(word) !== null;
  const others = synonymsOf(word).map(isYear ? yearPattern : (one) => NOT_WITHIN + spelledPattern(one));
  // Written with another separator, a year is the same word.
  const ownSpelling = /^\d/.test(word) ? NOT_WITHIN + spelledPattern(word) : yearPattern(word);
  const synonyms = isYear ? [ownSpelling, ...others] : others;
  return {
    text: word,
    joined: joinLettersAndDigits(word),
    single: SINGLE_CHARACTER.test(word),
    isKindOfYear: isYear && KIND.test(word),
    synonyms: synonyms.length === 0 ? null : new RegExp(`(?:${synonyms.join('|')})(?![\\p{L}\\p{N}])`, 'u'),
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
      : (!word.isKindOfYear && (text.includes(word.text) || joined.includes(word.joined))) ||
        word.synonyms?.test(text) === true,
  );
}

/** `matchesFolded` for a text that is matched only once. @param text folded. */
export const matchesText = (text: string, pattern: Pattern): boolean =>
  matchesFolded(text, joinLettersAndDigits(text), pattern);

/** Builds the predicate for the folded names of clients that contain a word, also as they are typed in haste. */
export function createClientMatcher(word: Pattern): NameMatcher {
  const plainPattern = createPattern(plainWord(word.text));
  return (name) => matchesText(name, word) || matchesText(plain(name), plainPattern);
}

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

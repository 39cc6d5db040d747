import { fold } from '#server/text/fold.ts';
import { otherNumbersOf, saysForm } from '#server/text/income-tax-forms.ts';
import { spanOfYear, writtenYears, yearOf } from '#server/text/years.ts';

// A separator between a letter and a digit, in either order: a search treats `Form 16`, `form-16` and `form16` as equal.
const SEPARATOR = /(?<=\p{L}\p{M}*)[\s_.-]+(?=\p{Nd})|(?<=\p{Nd})[\s_.-]+(?=\p{L})/gu;
export const SINGLE_CHARACTER = /^[\p{L}\p{N}]$/u;
// A number starts a new word even directly after a letter.
export const WORD_STARTS = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}]|(?<=[\p{L}\p{M}])\p{N}/gu;
// Longer names have no token for the complete name and match by their parts only.
const WHOLE_MAX = 80;

const DIGIT = /\p{Nd}/u;
export const joinLettersAndDigits = (folded: string): string =>
  DIGIT.test(folded) ? folded.replace(SEPARATOR, '') : folded;
export const splitWords = (folded: string): string[] => folded.split(/\s+/).filter(Boolean);

/**
 * The index takes letters and digits for token characters, and spaces and ASCII punctuation for separators, so punctuation
 * is encoded as private-use characters.
 */
const encode = (text: string): string =>
  text.replace(/[ -/:-`{-~]/g, (c) => String.fromCharCode(0xe000 + c.charCodeAt(0)));

/** Each token carries its firm, so that a lookup never reads another firm's entries. */
const tokenOf = (firmId: number, kind: string, text: string): string =>
  `${firmId.toString(36)}\ue100${kind}${encode(text)}`;

const GRAM = '';
const START = '\ue101';
const INITIAL = '\ue102';
const WHOLE = '\ue103';

function gramsOf(text: string, length: number): string[] {
  const letters = [...text];
  const grams: string[] = [];
  for (let index = 0; index + length <= letters.length; index += 1)
    grams.push(letters.slice(index, index + length).join(''));
  return grams;
}

/** The tokens that the index stores for a name, separated by spaces. */
export function nameTokens(firmId: number, name: string): string {
  const folded = fold(name);
  const tokens = new Set<string>();
  const addToken = (kind: string, text: string) => tokens.add(tokenOf(firmId, kind, text));
  for (const form of new Set([folded, joinLettersAndDigits(folded)])) {
    for (const word of splitWords(form))
      for (const n of [2, 3]) for (const gram of gramsOf(word, n)) addToken(GRAM, gram);
    for (const n of [2, 3]) addToken(START, [...form].slice(0, n).join(''));
    for (const text of [form, withoutExtension(form)]) if (text.length <= WHOLE_MAX) addToken(WHOLE, text);
  }
  for (const [letter] of folded.matchAll(WORD_STARTS)) addToken(INITIAL, letter);
  return [...tokens].join(' ');
}

export const withoutExtension = (folded: string): string => folded.replace(/(?<=.)\.[^.]*$/, '');

/** The FTS5 expressions of a query, from the narrowest to the widest: equal names, names with this start, names with all parts. */
export interface IndexExpressions {
  whole: string | null;
  start: string | null;
  parts: string;
}

/** @param folded the query after `normalizeQuery`. @returns null for a query without a searchable word. */
export function indexExpressions(firmId: number, folded: string): IndexExpressions | null {
  const queryWords = splitWords(folded);
  const wordsWithoutSynonyms = queryWords.filter((word) => synonymsOf(word).length === 0);
  const tokens = new Set(
    wordsWithoutSynonyms.flatMap((word) => wordTokens(firmId, joinLettersAndDigits(word))),
  );
  const synonymExpressions = queryWords
    .filter((word) => !wordsWithoutSynonyms.includes(word))
    .map((word) => wordExpression(firmId, word)!);
  if (tokens.size + synonymExpressions.length === 0) return null;
  const parts = [...(tokens.size > 0 ? [allOf(tokens)] : []), ...synonymExpressions].join(' AND ');
  const joined = joinLettersAndDigits(folded);
  const whole = joined.length <= WHOLE_MAX ? allOf([tokenOf(firmId, WHOLE, joined)]) : null;
  const letters = [...joined];
  const startToken = tokenOf(firmId, START, letters.slice(0, 3).join(''));
  return { whole, start: letters.length < 2 ? null : `${allOf([startToken])} AND ${parts}`, parts };
}

/** The FTS5 expression for the names that may contain one word; null for a word without tokens. */
export function wordExpression(firmId: number, word: string): string | null {
  const tokens = wordTokens(firmId, joinLettersAndDigits(word));
  if (tokens.length === 0) return null;
  const year = yearIn(word);
  if (year !== null) return anyOf(yearParts(year).map((parts) => tokensOfAll(firmId, parts)));
  const synonymExpressions = synonymsOf(word).map((other) => allOf(wordTokens(firmId, other)));
  return synonymExpressions.length === 0
    ? allOf(tokens)
    : `(${[allOf(tokens), ...synonymExpressions].map((expression) => `(${expression})`).join(' OR ')})`;
}

/** The year that a word of a query names; null for another word. */
export const yearIn = (word: string): number | null => (word.length >= 7 ? yearOf(word) : null);

/** What every spelling of a financial year contains, whatever separates its parts, and every one of its assessment year. */
const yearParts = (start: number): string[][] =>
  [start, start + 1].map((year) => spanOfYear(year).split('-'));

/**
 * Synonyms of forms and years: `16a` and `form131` for `form16a`, `2025-26` and `ay2026-27` for `fy2025-26`.
 */
export function synonymsOf(word: string): string[] {
  const year = yearIn(word);
  const spellings =
    year === null ? formNames(word.replace(/^form/, '')) : Object.values(writtenYears(year)).flat();
  return spellings.length > 1 ? spellings.filter((spelling) => spelling !== word) : [];
}

/**
 * The FTS5 expressions for the names with the financial year that starts in `start`: all names that `clear` matches have it;
 * those that `unclear` matches have it if `yearsInName` finds it, since their words may be those of an assessment year.
 */
export function yearExpressions(firmId: number, start: number): { clear: string; unclear: string } {
  const gram = (text: string): string => tokenOf(firmId, GRAM, text);
  const initial = (letter: string): string => tokenOf(firmId, INITIAL, letter);
  const anyName = (names: readonly string[]) =>
    anyOf([...names, ...names.map((name) => name.replace('-', '_'))].map((name) => wordTokens(firmId, name)));
  const plain = (year: number) => anyName(writtenYears(year).plain);
  // `AY 2026-27`, but not the May of `May 2026-27`.
  const assessed = (year: number) =>
    `((${anyName(writtenYears(year).assessment)} AND "${initial('a')}") NOT "${gram('may')}")`;
  /** Names with what may be the words of an assessment year: `A.Y.`, `Asst. Year`, `itray2026-27`. */
  const mayBeAssessed = anyOf([
    [initial('a'), initial('y')],
    [initial('a'), gram('ay')],
    [gram('ay2')],
    [gram('ass')],
    [gram('asm')],
    wordTokens(firmId, fold('निर्धारण')),
  ]);
  return {
    clear: `((${plain(start)} NOT ${mayBeAssessed}) OR ${assessed(start)})`,
    unclear: `(((${plain(start)} OR ${plain(start + 1)}) AND ${mayBeAssessed}) NOT (${assessed(start)} OR ${assessed(start - 1)}))`,
  };
}

const formNames = (number: string): string[] =>
  [number, ...otherNumbersOf(number)].flatMap((form) => (saysForm(form) ? [form] : [`form${form}`]));

/** The tokens of a word. One letter or digit matches at the start of words only; a longer word matches anywhere. */
function wordTokens(firmId: number, word: string): string[] {
  const letters = [...word];
  if (letters.length === 1) return SINGLE_CHARACTER.test(word) ? [tokenOf(firmId, INITIAL, word)] : [];
  const grams = gramsOf(word, Math.min(3, letters.length));
  // Every second gram plus the last cover each letter of the word; the others would only slow the lookup down.
  const coveringGrams = grams.filter((_, index) => index % 2 === 0 || index === grams.length - 1);
  return coveringGrams.map((gram) => tokenOf(firmId, GRAM, gram));
}

const tokensOfAll = (firmId: number, words: readonly string[]): string[] =>
  words.flatMap((word) => wordTokens(firmId, word));

const anyOf = (alternatives: readonly (readonly string[])[]): string =>
  `(${alternatives.map((tokens) => `(${allOf(tokens)})`).join(' OR ')})`;

const allOf = (tokens: Iterable<string>): string => Array.from(tokens, (token) => `"${token}"`).join(' AND ');

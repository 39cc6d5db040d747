import { fold } from '#server/text/fold.ts';
import { otherNumbersOf, saysForm } from '#server/text/forms.ts';
import { writtenYears, yearOf } from '#server/text/years.ts';

// A separator between a letter and a digit: a search treats `Form 16`, `form-16` and `form16` as equal.
const SEAM = /(?<=\p{L}\p{M}*)[\s_.-]+(?=\p{Nd})|(?<=\p{Nd})[\s_.-]+(?=\p{L})/gu;
export const SINGLE = /^[\p{L}\p{N}]$/u;
// A number starts a new word even directly after a letter.
export const WORD_STARTS = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}]|(?<=[\p{L}\p{M}])\p{N}/gu;
// Longer names have no token for the complete name and match by their parts only.
const WHOLE_MAX = 80;

const DIGIT = /\p{Nd}/u;
export const join = (folded: string): string => (DIGIT.test(folded) ? folded.replace(SEAM, '') : folded);
export const words = (folded: string): string[] => folded.split(/\s+/).filter(Boolean);

/**
 * The index takes letters and digits for token characters, and spaces and ASCII punctuation for separators, so punctuation
 * is encoded as private-use characters.
 */
const encode = (text: string): string =>
  text.replace(/[ -/:-`{-~]/g, (c) => String.fromCharCode(0xe000 + c.charCodeAt(0)));

/** Each token carries its firm, so that a lookup never reads another firm's entries. */
const tokenOf = (firmId: number, kind: string, text: string): string =>
  `${firmId.toString(36)}\ue100${kind}${encode(text)}`;

const PART = '';
const START = '\ue101';
const INITIAL = '\ue102';
const WHOLE = '\ue103';

function runs(text: string, length: number): string[] {
  const letters = [...text];
  const found: string[] = [];
  for (let at = 0; at + length <= letters.length; at += 1)
    found.push(letters.slice(at, at + length).join(''));
  return found;
}

/** The tokens that the index stores for a name, separated by spaces. */
export function nameTokens(firmId: number, name: string): string {
  const folded = fold(name);
  const tokens = new Set<string>();
  const put = (kind: string, text: string) => tokens.add(tokenOf(firmId, kind, text));
  for (const form of new Set([folded, join(folded)])) {
    for (const word of words(form)) for (const n of [2, 3]) for (const gram of runs(word, n)) put(PART, gram);
    for (const n of [2, 3]) put(START, [...form].slice(0, n).join(''));
    for (const text of [form, stem(form)]) if (text.length <= WHOLE_MAX) put(WHOLE, text);
  }
  for (const [letter] of folded.matchAll(WORD_STARTS)) put(INITIAL, letter);
  return [...tokens].join(' ');
}

export const stem = (folded: string): string => folded.replace(/(?<=.)\.[^.]*$/, '');

/** The FTS5 expressions of a query, from the narrowest to the widest: equal names, names with this start, names with all parts. */
export interface Questions {
  whole: string | null;
  start: string | null;
  parts: string;
}

/** @param folded the query after `readable`. @returns null for a query without a searchable word. */
export function questions(firmId: number, folded: string): Questions | null {
  const each = words(folded);
  const plain = each.filter((word) => otherNames(word).length === 0);
  const tokens = new Set(plain.flatMap((word) => wordTokens(firmId, join(word))));
  const several = each.filter((word) => !plain.includes(word)).map((word) => nameQuestion(firmId, word)!);
  if (tokens.size + several.length === 0) return null;
  const parts = [...(tokens.size > 0 ? [all(tokens)] : []), ...several].join(' AND ');
  const joined = join(folded);
  const whole = joined.length <= WHOLE_MAX ? all([tokenOf(firmId, WHOLE, joined)]) : null;
  const letters = [...joined];
  const head = tokenOf(firmId, START, letters.slice(0, 3).join(''));
  return { whole, start: letters.length < 2 ? null : `${all([head])} AND ${parts}`, parts };
}

/** The FTS5 expression for the names that may contain one word; null for a word without tokens. */
export function nameQuestion(firmId: number, word: string): string | null {
  const tokens = wordTokens(firmId, join(word));
  if (tokens.length === 0) return null;
  const others = otherNames(word).map((other) => all(wordTokens(firmId, other)));
  return others.length === 0
    ? all(tokens)
    : `(${[all(tokens), ...others].map((one) => `(${one})`).join(' OR ')})`;
}

/**
 * Synonyms of forms and years: `16a` and `form131` for `form16a`, `2025-26` and `ay2026-27` for `fy2025-26`.
 */
export function otherNames(word: string): string[] {
  const year = word.length >= 7 ? yearOf(word) : null;
  const all = year === null ? formNames(word.replace(/^form/, '')) : Object.values(writtenYears(year)).flat();
  return all.length > 1 ? all.filter((one) => one !== word) : [];
}

/** The FTS5 expression for the names that contain the financial year which starts in `start`. */
export function yearQuestion(firmId: number, start: number): string {
  const asked = (names: readonly string[]) =>
    names.map((name) => `(${all(wordTokens(firmId, name))})`).join(' OR ');
  const { plain, assessment } = writtenYears(start);
  const others = writtenYears(start - 1).assessment;
  return `(((${asked(plain)}) NOT (${asked(others)})) OR ${asked(assessment)})`;
}

const formNames = (number: string): string[] =>
  [number, ...otherNumbersOf(number)].flatMap((one) => (saysForm(one) ? [one] : [`form${one}`]));

/** The tokens of a word. One letter or digit matches at the start of words only; a longer word matches anywhere. */
function wordTokens(firmId: number, word: string): string[] {
  const letters = [...word];
  if (letters.length === 1) return SINGLE.test(word) ? [tokenOf(firmId, INITIAL, word)] : [];
  const grams = runs(word, Math.min(3, letters.length));
  // Every second gram plus the last cover each letter of the word; the others would only slow the lookup down.
  const enough = grams.filter((_, at) => at % 2 === 0 || at === grams.length - 1);
  return enough.map((gram) => tokenOf(firmId, PART, gram));
}

const all = (tokens: Iterable<string>): string => Array.from(tokens, (token) => `"${token}"`).join(' AND ');

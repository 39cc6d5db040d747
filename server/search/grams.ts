import { SEARCH_MIN, fold } from './contract.ts';

// A separator between a letter and a digit: `Form 16`, `form-16` and `form16` are one thing to the one who looks for it.
const SEAM = /(?<=\p{L}\p{M}*)[\s_.-]+(?=\p{Nd})|(?<=\p{Nd})[\s_.-]+(?=\p{L})/gu;
const SINGLE = /^[\p{L}\p{N}]$/u;
const WORD_STARTS = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{N}]/gu;
// Exact names longer than this are found by their parts only.
const WHOLE_MAX = 80;

export const join = (folded: string): string => folded.replace(SEAM, '');
export const words = (folded: string): string[] => folded.split(/\s+/).filter(Boolean);

/**
 * The index knows letters and digits as token characters, and spaces and ASCII punctuation as the end of a token:
 * punctuation goes in as private-use characters.
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

/** Every token under which a name is found, separated by spaces. */
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

/** What a query asks the index, from the narrowest to the widest question; each is an FTS5 expression. */
export interface Questions {
  whole: string | null;
  start: string | null;
  parts: string;
}

export function questions(firmId: number, query: string): Questions | null {
  if (query.trim().length < SEARCH_MIN) return null;
  const folded = fold(query).trim();
  const tokens = new Set(words(folded).flatMap((word) => wordTokens(firmId, join(word))));
  if (tokens.size === 0) return null;
  const parts = all(tokens);
  const joined = join(folded);
  const whole = joined.length <= WHOLE_MAX ? all([tokenOf(firmId, WHOLE, joined)]) : null;
  const letters = [...joined];
  const head = tokenOf(firmId, START, letters.slice(0, 3).join(''));
  return { whole, start: letters.length < 2 ? null : all([head, ...tokens]), parts };
}

/** A word of one letter or digit is looked for at the start of words; anything longer, anywhere. */
function wordTokens(firmId: number, word: string): string[] {
  const letters = [...word];
  if (letters.length === 1) return SINGLE.test(word) ? [tokenOf(firmId, INITIAL, word)] : [];
  return runs(word, Math.min(3, letters.length)).map((gram) => tokenOf(firmId, PART, gram));
}

const all = (tokens: Iterable<string>): string => Array.from(tokens, (token) => `"${token}"`).join(' AND ');

/** Whether every word of the query stands somewhere in the name. */
export function matches(name: string, query: string): boolean {
  const folded = fold(name);
  const joined = join(folded);
  const starts = new Set(Array.from(folded.matchAll(WORD_STARTS), ([letter]) => letter));
  return words(fold(query)).every((word) =>
    SINGLE.test(word) ? starts.has(word) : folded.includes(word) || joined.includes(join(word)),
  );
}

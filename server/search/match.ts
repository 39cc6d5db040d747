import { fold } from '#server/text/fold.ts';
import { formsIn } from '#server/text/forms.ts';
import { yearOf } from '#server/text/years.ts';
import { identifiersIn } from '#server/text/spaced-identifiers.ts';
import { SINGLE, WORD_STARTS, join, otherNames, words } from './grams.ts';

/** A query prepared once to be matched against many names. */
export interface Wanted {
  text: string;
  joined: string;
  words: WantedWord[];
}

interface WantedWord {
  text: string;
  joined: string;
  single: boolean;
  /** Matches the synonyms of a form or a year; see `otherNames`. */
  other: RegExp | null;
}

const YEAR = /(?<![\p{L}\p{N}])[fat]\.?y\.?[\s:.-]*20\d{2}-(?:20)?\d{2}(?![\p{L}\p{N}])/gu;

/** Joins each form, year and identifier with blanks (such as a PAN) to one word: `form16a`, `ay2026-27`. */
function joined(folded: string): string {
  const forms = formsIn(folded).map(({ start, end, number }) => ({
    start,
    end,
    word: folded.startsWith('form', start) ? `form${number}` : number,
  }));
  const identifiers = identifiersIn(folded).map(({ start, end, plain }) => ({ start, end, word: plain }));
  const years = Array.from(folded.matchAll(YEAR), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    word: yearOf(match[0]) === null ? match[0] : match[0].replace(/[\s.:]|-(?=\d{4}-)|(?<=[a-z])-/g, ''),
  }));
  let [made, at] = ['', 0];
  const each = [...identifiers, ...years, ...forms].toSorted((a, b) => a.start - b.start);
  for (const { start, end, word } of each) {
    if (start < at) continue;
    made += folded.slice(at, start) + word;
    at = end;
  }
  return made + folded.slice(at);
}

/** Normalizes a query for matching. Unlike a stored name, it may contain control characters and lone surrogates. */
export const readable = (query: string): string =>
  joined(fold(query.toWellFormed().replace(/\p{Cc}/gu, ' ')).trim());

/** A pattern with optional separators between letters and digits. A plain year must not follow `ay`, which means another year. */
const written = (other: string): string =>
  (/^\d{4}-/.test(other) ? '(?<!a\\.?y\\.?[\\s:._-]*)' : '') +
  other.replace(/(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/gu, '[\\s._-]*');

function wantedWord(word: string): WantedWord {
  const others = otherNames(word).map(written);
  const any = `(?<![\\p{L}\\p{N}])(?:${others.join('|')})(?![\\p{L}\\p{N}])`;
  const other = others.length === 0 ? null : new RegExp(any, 'u');
  return { text: word, joined: join(word), single: SINGLE.test(word), other };
}

export function wantedOf(query: string): Wanted {
  const text = readable(query);
  return { text, joined: join(text), words: words(text).map(wantedWord) };
}

/** Whether a folded name contains every word; a single letter or digit must start a word there. @param plain `join(name)`. */
export function found(name: string, plain: string, wanted: Wanted): boolean {
  return wanted.words.every((word) =>
    word.single
      ? name.includes(word.text) && starts(name).includes(word.text)
      : name.includes(word.text) || plain.includes(word.joined) || word.other?.test(name) === true,
  );
}

/** `found` for a text that is matched only once. @param text folded. */
export const holds = (text: string, wanted: Wanted): boolean => found(text, join(text), wanted);

const starts = (name: string): string[] => Array.from(name.matchAll(WORD_STARTS), ([letter]) => letter);

export type Matcher = (name: string) => boolean;

/** Builds the predicate for the names that contain every word of the query. */
export function matcher(query: string): Matcher {
  const wanted = wantedOf(query);
  return (name) => {
    const text = fold(name);
    return found(text, join(text), wanted);
  };
}

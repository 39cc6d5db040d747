import { fold } from '#server/text/fold.ts';
import { SINGLE, WORD_STARTS, join, words } from './grams.ts';

/** A query, read once for many names. */
export interface Wanted {
  text: string;
  joined: string;
  words: { text: string; joined: string; single: boolean }[];
}

/** A query comes from anyone; a name has been through the gate. */
export const readable = (query: string): string => fold(query.toWellFormed().replace(/\p{Cc}/gu, ' ')).trim();

export function wantedOf(query: string): Wanted {
  const text = readable(query);
  const each = words(text).map((word) => ({ text: word, joined: join(word), single: SINGLE.test(word) }));
  return { text, joined: join(text), words: each };
}

/** Whether every word stands in a folded name; one of a single letter or digit must begin a word there. */
export function found(name: string, joined: string, wanted: Wanted): boolean {
  return wanted.words.every((word) =>
    word.single
      ? name.includes(word.text) && starts(name).includes(word.text)
      : name.includes(word.text) || joined.includes(word.joined),
  );
}

/** The same of a folded text that is looked at once. */
export const holds = (text: string, wanted: Wanted): boolean => found(text, join(text), wanted);

const starts = (name: string): string[] => Array.from(name.matchAll(WORD_STARTS), ([letter]) => letter);

export type Matcher = (name: string) => boolean;

/** Whether a name matches a query as a whole. */
export function matcher(query: string): Matcher {
  const wanted = wantedOf(query);
  return (name) => {
    const text = fold(name);
    return found(text, join(text), wanted);
  };
}

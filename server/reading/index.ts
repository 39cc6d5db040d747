import { setImmediate as yielded } from 'node:timers/promises';
import type { TextEntry } from '#server/db/document-text.ts';
import type { Hasher } from './keys.ts';
import type { MadeText } from './readers/contract.ts';

/** Letters of the beginnings under which a word is found as well: they take half of the index's room. */
const HEADS = [3, 4];
const HAS_LETTER = /\p{L}/u;
/** Words that are hashed, in about a millisecond, before somebody else has their turn. */
const AT_ONCE = 100;

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

const beginnings = (term: string, counts: readonly number[]): string[] => {
  if (!HAS_LETTER.test(term)) return [];
  const letters = Array.from(term.slice(0, 12));
  return counts.filter((count) => letters.length >= count).map((count) => letters.slice(0, count).join(''));
};

/** The longest beginning in the index under which the words stand that begin so; undefined where there is none. */
export const headOf = (start: string): string | undefined => beginnings(start, HEADS).at(-1);

/** Beginnings of a word under which it is found, all shorter than itself; a number has none. */
const headsOf = (term: string): string[] =>
  beginnings(term, HEADS).filter((head) => head.length < term.length);

/** What the index keeps of a text: hashes for words, days, years and beginnings, none of which can be turned back. */
export async function entryOf(
  id: number,
  text: Pick<Extract<MadeText, { terms: string }>, 'terms' | 'sequence' | 'named'>,
  hash: Hasher,
): Promise<TextEntry> {
  const terms = linesOf(text.terms);
  const heads = new Set<string>();
  const hashes: string[] = [];
  for (const [at, term] of terms.entries()) {
    hashes.push(hash('word', term));
    for (const head of headsOf(term)) heads.add(hash('head', head));
    if (at % AT_ONCE === AT_ONCE - 1) await yielded();
  }
  return {
    id,
    // Beginnings stand in the column of words, before them: in one of their own each would take two bytes more.
    words: [...heads, ...Array.from(text.sequence, (place) => hashes[place])].join(' '),
    named: linesOf(text.named)
      .map((one) => hash('named', one))
      .join(' '),
  };
}

import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { TextEntry } from '#server/db/document-text.ts';
import type { Hasher } from './keys.ts';
import type { ReadResponse } from './readers/contract.ts';

/** Prefix lengths under which each word is indexed too: prefixes take half of the index's space. */
const PREFIX_LENGTHS = [3, 4];
const HAS_LETTER = /\p{L}/u;
/** Words hashed before yielding to other work; about a millisecond. */
const BATCH = 100;

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

const prefixes = (term: string, lengths: readonly number[]): string[] => {
  if (!HAS_LETTER.test(term)) return [];
  const letters = Array.from(term.slice(0, 12));
  return lengths
    .filter((length) => letters.length >= length)
    .map((length) => letters.slice(0, length).join(''));
};

/** The longest indexed prefix of a search term; undefined for one that is too short or has no letter. */
export const indexedPrefix = (start: string): string | undefined => prefixes(start, PREFIX_LENGTHS).at(-1);

/** The proper prefixes under which a word is indexed; none for a number. */
const prefixesOf = (term: string): string[] =>
  prefixes(term, PREFIX_LENGTHS).filter((prefix) => prefix.length < term.length);

/** The index entry of a text: irreversible hashes of its words, their prefixes, and its dates and years. */
export async function indexEntry(
  id: number,
  text: Pick<Extract<ReadResponse, { terms: string }>, 'terms' | 'sequence' | 'named'>,
  hash: Hasher,
): Promise<TextEntry> {
  const terms = linesOf(text.terms);
  const prefixHashes = new Set<string>();
  const hashes: string[] = [];
  for (const [index, term] of terms.entries()) {
    hashes.push(hash('word', term));
    for (const prefix of prefixesOf(term)) prefixHashes.add(hash('head', prefix));
    if (index % BATCH === BATCH - 1) await yieldToOthers();
  }
  return {
    id,
    // Prefixes share the column of words and stand first: a column of their own would take two bytes more each.
    words: [...prefixHashes, ...Array.from(text.sequence, (index) => hashes[index])].join(' '),
    named: linesOf(text.named)
      .map((named) => hash('named', named))
      .join(' '),
  };
}

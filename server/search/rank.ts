import { fold } from '#server/text/fold.ts';
import { joinLettersAndDigits, withoutExtension } from './grams.ts';
import type { Pattern } from './match.ts';
import { matchesFolded, createPattern } from './match.ts';

/** The columns of an item that ranking needs. */
export interface Candidate {
  id: number;
  name: string;
  type: 'folder' | 'file';
  modified_at: string;
}

/**
 * The candidates that match, best first: by the quality of the match, then folders before files, then newest first.
 * Candidates that match only together with the names of their folders or client (`viaContext`) follow those that match by
 * their own name.
 */
export function rank<C extends Candidate & { viaContext?: true }>(
  candidates: readonly C[],
  query: string,
): C[] {
  const pattern = createPattern(query);
  const scored: { candidate: C; score: number }[] = [];
  for (const candidate of candidates) {
    const score = scoreOf(candidate.name, pattern) ?? scoreViaContext(candidate, pattern);
    if (score !== null) scored.push({ candidate, score });
  }
  return scored
    .toSorted(
      (a, b) =>
        a.score - b.score ||
        Number(b.candidate.type === 'folder') - Number(a.candidate.type === 'folder') ||
        compare(b.candidate.modified_at, a.candidate.modified_at) ||
        b.candidate.id - a.candidate.id,
    )
    .map(({ candidate }) => candidate);
}

/** 0 equal, 1 the name starts with the query, 2 every word starts a word of the name, 3 other matches; null for no match. */
function scoreOf(name: string, pattern: Pattern): number | null {
  const text = fold(name);
  const joined = joinLettersAndDigits(text);
  if (!matchesFolded(text, joined, pattern)) return null;
  if (text.startsWith(pattern.text) || joined.startsWith(pattern.joined)) {
    const whole = [text, joined, withoutExtension(text), withoutExtension(joined)];
    return whole.some((form) => form === pattern.text || form === pattern.joined) ? 0 : 1;
  }
  return pattern.words.every(({ text: word }) => startsWord(text, word)) ? 2 : 3;
}

/** Scores from 4 on, plus the number of words that only the names of the folders or the client contain. */
function scoreViaContext(
  { name, viaContext }: { name: string; viaContext?: true },
  pattern: Pattern,
): number | null {
  if (viaContext === undefined) return null;
  const text = fold(name);
  return 4 + pattern.words.filter((word) => !text.includes(word.text)).length;
}

const LETTER = /[\p{L}\p{M}\p{N}]/u;

function startsWord(text: string, word: string): boolean {
  for (let position = text.indexOf(word); position >= 0; position = text.indexOf(word, position + 1)) {
    if (position === 0 || !LETTER.test(text[position - 1]!)) return true;
  }
  return false;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

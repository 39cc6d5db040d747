import { fold } from '#server/text/fold.ts';
import type { LinePiece, TextHit } from './contract.ts';
import type { StoredText } from './stored-text.ts';
import type { Part } from './query.ts';
import { continuationPairs } from './words/cell-continuations.ts';
import type { Word } from './words/words.ts';
import { namedIn, wordsOf } from './words/words.ts';

/** Characters of one text that are split into words to find a snippet. */
const SEARCHED_MAX = 400_000;
/** Characters of a snippet. */
const LINE_MAX = 180;
/** Matched words returned per page: a word may occur in several forms. */
const WORDS_MAX = 12;
/** Characters before the first match of a line that is cut. */
const CONTEXT_BEFORE = 50;

interface Mark {
  start: number;
  end: number;
  part: number;
}

const LETTERS = /^[\p{L}\p{M}]+$/u;

/**
 * For each part, letters that occur in every text which contains it; null for a part with several notations, such as
 * a number.
 */
const needlesOf = (parts: readonly Part[]): (string | null)[] =>
  parts.map((part) => {
    const needle = part.kind === 'word' ? part.term : part.kind === 'phrase' ? part.terms[0]! : '';
    return LETTERS.test(needle) ? needle : null;
  });

/** Whether a needle occurs on no page; a substring search is cheaper than splitting pages into words. */
function isMissingNeedle(
  pages: number,
  needles: readonly (string | null)[],
  foldedOf: (index: number) => string,
): boolean {
  const missing = new Set(needles.filter((needle) => needle !== null));
  for (let index = 0; index < pages && missing.size > 0; index += 1)
    for (const needle of missing) if (foldedOf(index).includes(needle)) missing.delete(needle);
  return missing.size > 0;
}

function phraseMarks(words: readonly Word[], terms: readonly string[], part: number): Mark[] {
  const found: Mark[] = [];
  for (let index = 0; index + terms.length <= words.length; index += 1)
    if (terms.every((term, n) => words[index + n]!.term === term))
      found.push({ start: words[index]!.start, end: words[index + terms.length - 1]!.end, part });
  return found;
}

/** Matches of a phrase across two lines of a table cell: each match has two marks. */
function cellMarks(
  words: readonly Word[],
  across: number[] | undefined,
  terms: readonly string[],
  part: number,
): Mark[] {
  return continuationPairs(across).flatMap(([from, to, then, end]) => {
    const before = words.filter((word) => word.start >= from && word.end <= to);
    const after = words.filter((word) => word.start >= then && word.end <= end);
    const both = [...before, ...after];
    for (let index = 0; index + terms.length <= both.length; index += 1) {
      const isSplit = index < before.length && index + terms.length > before.length;
      if (!isSplit || !terms.every((term, n) => both[index + n]!.term === term)) continue;
      return [
        { start: before[index]!.start, end: before.at(-1)!.end, part },
        { start: after[0]!.start, end: both[index + terms.length - 1]!.end, part },
      ];
    }
    return [];
  });
}

function namedMarks(text: string, term: string, part: number): Mark[] {
  const aadhaar = /^aadhaar \d{8}(\d{4})$/.exec(term)?.[1];
  const spans = aadhaar
    ? Array.from(text.matchAll(new RegExp(`X{4}.?X{4}.?${aadhaar}`, 'gs')), (match) => ({
        start: match.index,
        end: match.index + match[0].length,
      }))
    : namedIn(text).filter((word) => word.term === term);
  return spans.map(({ start, end }) => ({ start, end, part }));
}

/** The words of those lines that contain a needle: no word spans two lines. */
function wordsNear(text: string, folded: string, needles: readonly string[]): Word[] {
  const lines = text.split('\n');
  const plain = folded.split('\n');
  let start = 0;
  return lines.flatMap((line, index) => {
    const from = start;
    start += line.length + 1;
    if (!needles.some((needle) => plain[index]?.includes(needle))) return [];
    return Array.from(wordsOf(line), (word) => ({ ...word, start: word.start + from, end: word.end + from }));
  });
}

/**
 * All matches of the parts in a text; with `prefixes`, a word matches longer words too.
 * @param folded the text, see `fold`.
 */
function marksIn(
  { text, across }: StoredText['pages'][number],
  folded: string,
  {
    parts,
    needles,
    prefixes,
  }: { parts: readonly Part[]; needles: readonly (string | null)[]; prefixes: boolean },
): Mark[] {
  const single = parts.every(({ kind }) => kind === 'word') && needles.every((needle) => needle !== null);
  const words = single ? wordsNear(text, folded, needles) : Array.from(wordsOf(text));
  const ofPhrase = (terms: readonly string[], index: number): Mark[] => [
    ...phraseMarks(words, terms, index),
    ...cellMarks(words, across, terms, index),
  ];
  return parts
    .flatMap((part, index) => {
      if (part.kind === 'named') return namedMarks(text, part.term, index);
      if (part.kind === 'phrase') return ofPhrase(part.terms, index);
      if (part.kind === 'any') return part.phrases.flatMap((terms) => ofPhrase(terms, index));
      return words
        .filter(({ term }) => (prefixes ? term.startsWith(part.term) : term === part.term))
        .map(({ start, end }) => ({ start, end, part: index }));
    })
    .toSorted((a, b) => a.start - b.start);
}

const distinct = (marks: readonly Mark[]): number => new Set(marks.map(({ part }) => part)).size;

/** The line with the most different parts, in pieces. */
function lineOf(text: string, marks: readonly Mark[]): LinePiece[] {
  const lines = new Map<number, Mark[]>();
  for (const mark of marks) {
    const lineStart = text.lastIndexOf('\n', mark.start - 1) + 1;
    lines.set(lineStart, [...(lines.get(lineStart) ?? []), mark]);
  }
  const [lineStart, lineMarks] = Array.from(lines).reduce((best, other) =>
    distinct(other[1]) > distinct(best[1]) ? other : best,
  );
  const last = text.indexOf('\n', lineMarks.at(-1)!.start);
  const first = lineMarks[0]!.start;
  // A long line starts a little before its first match.
  const cut = first - lineStart > CONTEXT_BEFORE && (last < 0 ? text.length : last) - lineStart > LINE_MAX;
  const from = cut ? first - CONTEXT_BEFORE : lineStart;
  const end = Math.min(last < 0 ? text.length : Math.max(last, lineMarks[0]!.end), from + LINE_MAX);
  const pieces: LinePiece[] = [];
  let position = from;
  const push = (to: number, marked: boolean) => {
    const piece = text.slice(position, to).replace(/\s+/g, ' ');
    if (piece !== '') pieces.push({ text: piece, marked });
    position = Math.max(position, to);
  };
  for (const mark of lineMarks) {
    if (mark.start < position || mark.start >= end) continue;
    push(mark.start, false);
    push(Math.min(mark.end, end), true);
  }
  push(end, false);
  if (cut) pieces.unshift({ text: '… ', marked: false });
  if (end < (last < 0 ? text.length : last)) pieces.push({ text: ' …', marked: false });
  return pieces;
}

export type Snippet = Pick<TextHit, 'page' | 'label' | 'kind' | 'line' | 'words'>;

/**
 * The snippet of a text for a query; null when the text does not contain all parts. Of a very long text only a part
 * is searched: then the best match so far is returned.
 */
export function snippetOf(
  { kind, pages }: StoredText,
  parts: readonly Part[],
  { prefixes }: { prefixes: boolean },
): Snippet | null {
  const needles = needlesOf(parts);
  const folded: string[] = [];
  const foldedOf = (index: number): string => (folded[index] ??= fold(pages[index]!.text));
  const length = pages.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= SEARCHED_MAX && isMissingNeedle(pages.length, needles, foldedOf)) return null;
  const matchedParts = new Set<number>();
  let best: { page: StoredText['pages'][number]; marks: Mark[] } | null = null;
  let searched = 0;
  for (const [index, page] of pages.entries()) {
    if (searched > SEARCHED_MAX) break;
    if (!needles.some((needle) => needle === null || foldedOf(index).includes(needle))) continue;
    searched += page.text.length;
    const marks = marksIn(page, foldedOf(index), { parts, needles, prefixes });
    for (const { part } of marks) matchedParts.add(part);
    if (marks.length > 0 && (!best || distinct(marks) > distinct(best.marks))) best = { page, marks };
    if (best && distinct(best.marks) === parts.length) break;
  }
  if (!best || (matchedParts.size < parts.length && searched <= SEARCHED_MAX)) return null;
  const { page, marks } = best;
  const words = marks.map(({ start, end }) => page.text.slice(start, end).replace(/\s+/g, ' '));
  const line = lineOf(page.text, marks);
  return { kind, page: page.page, label: page.label, line, words: [...new Set(words)].slice(0, WORDS_MAX) };
}

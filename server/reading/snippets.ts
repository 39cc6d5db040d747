import { asciiDigits } from '#server/text/aadhaar.ts';
import { fold } from '#server/text/fold.ts';
import type { LinePiece, TextHit } from './contract.ts';
import type { Needle } from './needles.ts';
import { mayContain, needleOf } from './needles.ts';
import type { StoredText } from './stored-text.ts';
import type { Part } from './query.ts';
import { continuationPairs } from './words/cell-continuations.ts';
import type { Word } from './words/words.ts';
import { namedIn, wordsOf } from './words/words.ts';

/** Characters of one text that are split into words to find a snippet; what follows may not be searched. */
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
function wordsNear(text: string, plainText: string, needles: readonly Needle[]): Word[] {
  const lines = text.split('\n');
  const plain = plainText.split('\n');
  let start = 0;
  return lines.flatMap((line, index) => {
    const from = start;
    start += line.length + 1;
    if (!needles.some((needle) => mayContain(plain[index] ?? '', needle))) return [];
    return Array.from(wordsOf(line), (word) => ({ ...word, start: word.start + from, end: word.end + from }));
  });
}

/**
 * All matches of the parts in a text; with `prefixes`, a word matches longer words too.
 * @param plain the text, folded and with ASCII digits.
 */
function marksIn(
  { text, across }: StoredText['pages'][number],
  plain: string,
  { parts, needles, prefixes }: { parts: readonly Part[]; needles: readonly Needle[]; prefixes: boolean },
): Mark[] {
  const single = parts.every(({ kind }) => kind === 'word') && needles.every((needle) => needle !== null);
  const words = single ? wordsNear(text, plain, needles) : Array.from(wordsOf(text));
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

/** A page that may contain parts of a query, with its text folded and with ASCII digits. */
interface Candidate {
  index: number;
  plain: string;
}

/** The pages that may contain all parts, then those that may contain most; none if a part can be on no page. */
function* candidatesIn(pages: StoredText['pages'], needles: readonly Needle[]): Generator<Candidate> {
  const others: (Candidate & { count: number })[] = [];
  const missing = new Set(needles);
  for (const [index, { text }] of pages.entries()) {
    const plain = asciiDigits(fold(text));
    const found = needles.filter((needle) => mayContain(plain, needle));
    for (const needle of found) missing.delete(needle);
    if (found.length === needles.length) yield { index, plain };
    else if (found.length > 0) others.push({ index, plain, count: found.length });
  }
  if (missing.size === 0) yield* others.toSorted((a, b) => b.count - a.count);
}

/** The first line of a text, for a hit whose place was not found. */
function beginningOf({ kind, pages }: StoredText): Snippet | null {
  const page = pages.find(({ text }) => text.trim() !== '');
  if (!page) return null;
  const line = page.text.trim().split('\n', 1)[0]!.replace(/\s+/g, ' ');
  const piece = line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)} …` : line;
  return { kind, page: page.page, label: page.label, line: [{ text: piece, marked: false }], words: [] };
}

/**
 * The snippet of a text for a query; null when the text does not contain all parts. Of a very long text only the pages
 * that may contain most parts are searched: then the snippet is the best match so far, or the first line where the index
 * has said that the text contains the parts.
 * @param prefixes whether words match longer words too: then the index has said less.
 */
export function snippetOf(
  stored: StoredText,
  parts: readonly Part[],
  { prefixes }: { prefixes: boolean },
): Snippet | null {
  const { kind, pages } = stored;
  const needles = parts.map(needleOf);
  const matchedParts = new Set<number>();
  let best: { index: number; marks: Mark[] } | null = null;
  let searched = 0;
  let isWhole = true;
  for (const { index, plain } of candidatesIn(pages, needles)) {
    if (searched > SEARCHED_MAX) {
      isWhole = false;
      break;
    }
    searched += plain.length;
    const marks = marksIn(pages[index]!, plain, { parts, needles, prefixes });
    for (const { part } of marks) matchedParts.add(part);
    const more = distinct(marks) - (best ? distinct(best.marks) : 0);
    if (more > 0 || (best && more === 0 && marks.length > 0 && index < best.index)) best = { index, marks };
    if (best && distinct(best.marks) === parts.length) break;
  }
  if (!best) return isWhole || prefixes ? null : beginningOf(stored);
  if (isWhole && matchedParts.size < parts.length) return null;
  const page = pages[best.index]!;
  const words = best.marks.map(({ start, end }) => page.text.slice(start, end).replace(/\s+/g, ' '));
  const line = lineOf(page.text, best.marks);
  return { kind, page: page.page, label: page.label, line, words: [...new Set(words)].slice(0, WORDS_MAX) };
}

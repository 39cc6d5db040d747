import { fold } from '#server/text/fold.ts';
import type { LinePiece, TextHit } from './contract.ts';
import type { KeptText } from './packed.ts';
import type { Part } from './query.ts';
import { pairsOf } from './words/across.ts';
import type { Word } from './words/words.ts';
import { namedIn, wordsOf } from './words/words.ts';

/** Characters of one text that are taken apart, to show one line of it. */
const LOOKED_AT = 400_000;
/** Of a line that is shown. */
const LINE_MAX = 180;
/** Words that are told of a page: a word may stand there in several forms. */
const WORDS_MAX = 12;
/** What stands before the first marked word of a line that is cut. */
const BEFORE = 50;

interface Mark {
  start: number;
  end: number;
  part: number;
}

const LETTERS = /^[\p{L}\p{M}]+$/u;

/**
 * Of each part letters that stand in every text which holds it; null for one that may be written in several ways, such as
 * a number.
 */
const needlesOf = (parts: readonly Part[]): (string | null)[] =>
  parts.map((part) => {
    const needle = part.kind === 'word' ? part.term : part.kind === 'phrase' ? part.terms[0]! : '';
    return LETTERS.test(needle) ? needle : null;
  });

/** Whether one of the needles stands on no page at all, told without taking the pages apart. */
function lacksOne(
  pages: number,
  needles: readonly (string | null)[],
  foldedOf: (at: number) => string,
): boolean {
  const left = new Set(needles.filter((needle) => needle !== null));
  for (let at = 0; at < pages && left.size > 0; at += 1)
    for (const needle of left) if (foldedOf(at).includes(needle)) left.delete(needle);
  return left.size > 0;
}

function phraseMarks(words: readonly Word[], terms: readonly string[], part: number): Mark[] {
  const found: Mark[] = [];
  for (let at = 0; at + terms.length <= words.length; at += 1)
    if (terms.every((term, n) => words[at + n]!.term === term))
      found.push({ start: words[at]!.start, end: words[at + terms.length - 1]!.end, part });
  return found;
}

/** Those of a phrase that begins in one line of a cell and ends in the next: what is marked stands in two places. */
function acrossMarks(
  words: readonly Word[],
  across: number[] | undefined,
  terms: readonly string[],
  part: number,
): Mark[] {
  return pairsOf(across).flatMap(([from, to, then, end]) => {
    const before = words.filter((word) => word.start >= from && word.end <= to);
    const after = words.filter((word) => word.start >= then && word.end <= end);
    const both = [...before, ...after];
    for (let at = 0; at + terms.length <= both.length; at += 1) {
      const isSplit = at < before.length && at + terms.length > before.length;
      if (!isSplit || !terms.every((term, n) => both[at + n]!.term === term)) continue;
      return [
        { start: before[at]!.start, end: before.at(-1)!.end, part },
        { start: after[0]!.start, end: both[at + terms.length - 1]!.end, part },
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
    : namedIn(text).filter((one) => one.term === term);
  return spans.map(({ start, end }) => ({ start, end, part }));
}

/** The words of the lines on which a needle stands: no word goes over the end of a line. */
function wordsNear(text: string, folded: string, needles: readonly string[]): Word[] {
  const lines = text.split('\n');
  const plain = folded.split('\n');
  let start = 0;
  return lines.flatMap((line, at) => {
    const from = start;
    start += line.length + 1;
    if (!needles.some((needle) => plain[at]?.includes(needle))) return [];
    return Array.from(wordsOf(line), (word) => ({ ...word, start: word.start + from, end: word.end + from }));
  });
}

/** Where the parts stand in a text; with `heads` a word may go on. @param folded the text, see `fold`. */
function marksIn(
  { text, across }: KeptText['pages'][number],
  folded: string,
  { parts, needles, heads }: { parts: readonly Part[]; needles: readonly (string | null)[]; heads: boolean },
): Mark[] {
  const single = parts.every(({ kind }) => kind === 'word') && needles.every((needle) => needle !== null);
  const words = single ? wordsNear(text, folded, needles) : Array.from(wordsOf(text));
  const ofPhrase = (terms: readonly string[], at: number): Mark[] => [
    ...phraseMarks(words, terms, at),
    ...acrossMarks(words, across, terms, at),
  ];
  return parts
    .flatMap((part, at) => {
      if (part.kind === 'named') return namedMarks(text, part.term, at);
      if (part.kind === 'phrase') return ofPhrase(part.terms, at);
      if (part.kind === 'any') return part.phrases.flatMap((terms) => ofPhrase(terms, at));
      return words
        .filter(({ term }) => (heads ? term.startsWith(part.term) : term === part.term))
        .map(({ start, end }) => ({ start, end, part: at }));
    })
    .toSorted((a, b) => a.start - b.start);
}

const distinct = (marks: readonly Mark[]): number => new Set(marks.map(({ part }) => part)).size;

/** The line on which most of the parts stand, in pieces. */
function lineOf(text: string, marks: readonly Mark[]): LinePiece[] {
  const lines = new Map<number, Mark[]>();
  for (const mark of marks) {
    const begins = text.lastIndexOf('\n', mark.start - 1) + 1;
    lines.set(begins, [...(lines.get(begins) ?? []), mark]);
  }
  const best = Array.from(lines).reduce((one, other) =>
    distinct(other[1]) > distinct(one[1]) ? other : one,
  );
  const [begins, own] = best;
  const last = text.indexOf('\n', own.at(-1)!.start);
  const first = own[0]!.start;
  // A line of a thousand characters is shown from a little before the first word.
  const cut = first - begins > BEFORE && (last < 0 ? text.length : last) - begins > LINE_MAX;
  const from = cut ? first - BEFORE : begins;
  const end = Math.min(last < 0 ? text.length : Math.max(last, own[0]!.end), from + LINE_MAX);
  const pieces: LinePiece[] = [];
  let at = from;
  const put = (to: number, marked: boolean) => {
    const piece = text.slice(at, to).replace(/\s+/g, ' ');
    if (piece !== '') pieces.push({ text: piece, marked });
    at = Math.max(at, to);
  };
  for (const mark of own) {
    if (mark.start < at || mark.start >= end) continue;
    put(mark.start, false);
    put(Math.min(mark.end, end), true);
  }
  put(end, false);
  if (cut) pieces.unshift({ text: '… ', marked: false });
  if (end < (last < 0 ? text.length : last)) pieces.push({ text: ' …', marked: false });
  return pieces;
}

export type Snippet = Pick<TextHit, 'page' | 'label' | 'kind' | 'line' | 'words'>;

/**
 * The line of a text to be shown for a query; null when it does not hold all that is looked for. Of a very long text not
 * all is looked at: then what is found is shown.
 */
export function snippetOf(
  { kind, pages }: KeptText,
  parts: readonly Part[],
  { heads }: { heads: boolean },
): Snippet | null {
  const needles = needlesOf(parts);
  const folded: string[] = [];
  const foldedOf = (at: number): string => (folded[at] ??= fold(pages[at]!.text));
  const length = pages.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= LOOKED_AT && lacksOne(pages.length, needles, foldedOf)) return null;
  const met = new Set<number>();
  let best: { page: KeptText['pages'][number]; marks: Mark[] } | null = null;
  let looked = 0;
  for (const [at, page] of pages.entries()) {
    if (looked > LOOKED_AT) break;
    if (!needles.some((needle) => needle === null || foldedOf(at).includes(needle))) continue;
    looked += page.text.length;
    const marks = marksIn(page, foldedOf(at), { parts, needles, heads });
    for (const { part } of marks) met.add(part);
    if (marks.length > 0 && (!best || distinct(marks) > distinct(best.marks))) best = { page, marks };
    if (best && distinct(best.marks) === parts.length) break;
  }
  if (!best || (met.size < parts.length && looked <= LOOKED_AT)) return null;
  const { page, marks } = best;
  const words = marks.map(({ start, end }) => page.text.slice(start, end).replace(/\s+/g, ' '));
  const line = lineOf(page.text, marks);
  return { kind, page: page.page, label: page.label, line, words: [...new Set(words)].slice(0, WORDS_MAX) };
}

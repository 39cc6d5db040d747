import { inAny, inNamed, inWords } from '#server/db/document-text.ts';
import { headOf } from './index.ts';
import type { Hasher } from './keys.ts';
import { withoutAadhaar } from './words/aadhaar.ts';
import { namedIn, wordsOf } from './words/words.ts';

/** One thing that is looked for; a file has to hold all of them, in any order. */
export type Part =
  | { kind: 'word'; term: string }
  /** Words one after another. */
  | { kind: 'phrase'; terms: string[] }
  /** A day, a year or an Aadhaar number, in whatever form: `day 2026-04-07`. */
  | { kind: 'named'; term: string };

const PARTS_MAX = 12;

/** What stands within quotation marks, and what stands outside of them. */
function* segments(query: string): Generator<{ text: string; quoted: boolean }> {
  for (const match of query.matchAll(/["“”]([^"“”]*)["“”]?|([^"“”]+)/g)) {
    if (match[1] !== undefined) yield { text: match[1], quoted: true };
    else yield { text: match[2]!, quoted: false };
  }
}

const blanked = (text: string, start: number, end: number): string =>
  text.slice(0, start) + '\n'.repeat(end - start) + text.slice(end);

/** Days, years and Aadhaar numbers of a text, and the text without them. */
function takeNamed(given: string): { parts: Part[]; rest: string } {
  const { text, numbers } = withoutAadhaar(given);
  const parts: Part[] = numbers.map((number) => ({ kind: 'named', term: `aadhaar ${number}` }));
  let rest = text.replace(/X{4}.?X{4}.?\p{Nd}{4}/gu, (mask) =>
    numbers.length > 0 ? '\n'.repeat(mask.length) : mask,
  );
  for (const { start, end, term } of namedIn(rest)) {
    // A day and a year may lie over each other: the first one says it all.
    if (rest.slice(start, end).includes('\n')) continue;
    parts.push({ kind: 'named', term });
    rest = blanked(rest, start, end);
  }
  return { parts, rest };
}

function partOf(text: string): Part | null {
  const terms = Array.from(wordsOf(text), ({ term }) => term);
  if (terms.length === 0) return null;
  return terms.length === 1 ? { kind: 'word', term: terms[0]! } : { kind: 'phrase', terms };
}

/** What a query asks for; nothing when it names nothing that could stand in a text. */
export function partsOf(query: string): Part[] {
  const found: Part[] = [];
  for (const { text, quoted } of segments(query.toWellFormed().replace(/\p{Cc}/gu, ' '))) {
    const { parts, rest } = takeNamed(text);
    found.push(...parts);
    // Outside of quotation marks each piece between blanks is one thing: `INV-17/26` are its parts in their order.
    for (const piece of rest.split(quoted ? /\n+/ : /\s+/)) {
      const part = partOf(piece);
      if (part) found.push(quoted && part.kind === 'word' ? { kind: 'phrase', terms: [part.term] } : part);
    }
  }
  const different = new Map(found.map((part) => [JSON.stringify(part), part]));
  return [...different.values()].slice(0, PARTS_MAX);
}

/** Whether a part may also be the beginning of a longer word: one of three letters or more. */
export const isHead = (part: Part): part is Extract<Part, { kind: 'word' }> =>
  part.kind === 'word' && headOf(part.term) !== undefined;

/**
 * What the index is asked. With `heads` each word may go on: then the index knows its first letters only, and what it
 * finds is still to be compared with the text.
 */
export function questionOf(parts: readonly Part[], hash: Hasher, { heads }: { heads: boolean }): string {
  return parts
    .map((part) => {
      if (part.kind === 'named') return inNamed(hash('named', part.term));
      const words = part.kind === 'word' ? [part.term] : part.terms;
      const exact = inWords(words.map((word) => hash('word', word)));
      return heads && isHead(part) ? `(${exact} OR ${inAny(hash('head', headOf(part.term)!))})` : exact;
    })
    .join(' AND ');
}

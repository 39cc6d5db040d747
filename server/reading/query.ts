import { inAny, inNamed, inWords } from '#server/db/document-text.ts';
import { fold } from '#server/text/fold.ts';
import { formsIn, otherNumbersOf, saysForm } from '#server/text/forms.ts';
import { identifiersIn, printedForms } from '#server/text/spaced-identifiers.ts';
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
  | { kind: 'named'; term: string }
  /** Any of several phrases, such as the numbers of one form. */
  | { kind: 'any'; phrases: string[][] };

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

/** How a document may name a form: `16A` says it by itself, `16` only after the word. */
const printedForm = (number: string): string[][] =>
  saysForm(number)
    ? [[number], [`form${number}`]]
    : [['form', number], ['form', 'no', number], ['form', 'number', number], [`form${number}`]];

/** Renumbered forms, PANs and the like of what stands outside of quotation marks, and the text without them. */
function takeKnown(text: string): { parts: Part[]; rest: string } {
  const folded = fold(text);
  // Where folding moves what stands behind, nothing is taken out: the words find it as they stand.
  if (folded.length !== text.length) return { parts: [], rest: text };
  const parts: Part[] = [];
  let rest = text;
  const take = (start: number, end: number, phrases: string[][]) => {
    if (rest.slice(start, end).includes('\n')) return;
    const written = Array.from(wordsOf(text.slice(start, end)), ({ term }) => term);
    const all = new Map([...phrases, written].map((phrase) => [phrase.join(' '), phrase]));
    parts.push({ kind: 'any', phrases: [...all.values()] });
    rest = blanked(rest, start, end);
  };
  for (const { start, end, plain } of identifiersIn(folded)) take(start, end, printedForms(plain));
  for (const { start, end, number } of formsIn(folded))
    take(start, end, [number, ...otherNumbersOf(number)].flatMap(printedForm));
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
    const { parts, rest: unnamed } = takeNamed(text);
    const known = quoted ? { parts: [], rest: unnamed } : takeKnown(unnamed);
    found.push(...parts, ...known.parts);
    const { rest } = known;
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
      const asked = (words: readonly string[]) => inWords(words.map((word) => hash('word', word)));
      if (part.kind === 'any') return `(${part.phrases.map(asked).join(' OR ')})`;
      const exact = asked(part.kind === 'word' ? [part.term] : part.terms);
      return heads && isHead(part) ? `(${exact} OR ${inAny(hash('head', headOf(part.term)!))})` : exact;
    })
    .join(' AND ');
}

import { inAny, inNamed, inWords } from '#server/db/document-text.ts';
import { maskAadhaar } from '#server/text/aadhaar.ts';
import { fold } from '#server/text/fold.ts';
import { formsIn, otherNumbersOf, saysForm } from '#server/text/income-tax-forms.ts';
import { identifiersIn, printedForms } from '#server/text/spaced-identifiers.ts';
import { indexedPrefix } from './index-entry.ts';
import type { Hasher } from './keys.ts';
import { namedIn, wordsOf } from './words/words.ts';

/** A part of a query. A file must contain all parts, in any order. */
export type Part =
  | { kind: 'word'; term: string }
  /** Consecutive words. */
  | { kind: 'phrase'; terms: string[] }
  /** A date, a year or an Aadhaar number in any notation: `day 2026-04-07`. */
  | { kind: 'named'; term: string }
  /** One of several phrases, such as the old and the new number of a form. */
  | { kind: 'any'; phrases: string[][] };

const PARTS_MAX = 12;
/** The sign of rupees before an amount: a document may have it in a heading, or another one. */
const RUPEES = /(?<![\p{L}\p{M}\p{N}])(?:rs|inr)\.?\s*(?=₹?\s*\p{Nd})/giu;

/** Splits a query into quoted and unquoted segments. */
function* segments(query: string): Generator<{ text: string; quoted: boolean }> {
  for (const match of query.matchAll(/["“”]([^"“”]*)["“”]?|([^"“”]+)/g)) {
    if (match[1] !== undefined) yield { text: match[1], quoted: true };
    else yield { text: match[2]!, quoted: false };
  }
}

const blankOut = (text: string, start: number, end: number): string =>
  text.slice(0, start) + '\n'.repeat(end - start) + text.slice(end);

/** Takes dates, years and Aadhaar numbers out of a text. */
function takeNamed(query: string): { parts: Part[]; rest: string } {
  const { text, numbers } = maskAadhaar(query);
  const parts: Part[] = numbers.map((number) => ({ kind: 'named', term: `aadhaar ${number}` }));
  let rest = text.replace(/X{4}.?X{4}.?\p{Nd}{4}/gu, (mask) =>
    numbers.length > 0 ? '\n'.repeat(mask.length) : mask,
  );
  for (const { start, end, term } of namedIn(rest)) {
    // A date and a year may overlap: the first one suffices.
    if (rest.slice(start, end).includes('\n')) continue;
    parts.push({ kind: 'named', term });
    rest = blankOut(rest, start, end);
  }
  return { parts, rest };
}

/** The phrases by which a document may name a form: `16A` stands alone, `16` only after the word "form". */
const printedForm = (number: string): string[][] =>
  saysForm(number)
    ? [[number], [`form${number}`]]
    : [['form', number], ['form', 'no', number], ['form', 'number', number], [`form${number}`]];

/** Takes renumbered forms, PANs and the like out of an unquoted text. */
function takeIdentifiers(text: string): { parts: Part[]; rest: string } {
  const folded = fold(text);
  // Folding changed the length, so positions in the folded text are not those of the text: leave it to the words.
  if (folded.length !== text.length) return { parts: [], rest: text };
  const parts: Part[] = [];
  let rest = text;
  const take = (start: number, end: number, phrases: string[][]) => {
    if (rest.slice(start, end).includes('\n')) return;
    const written = Array.from(wordsOf(text.slice(start, end)), ({ term }) => term);
    const all = new Map([...phrases, written].map((phrase) => [phrase.join(' '), phrase]));
    parts.push({ kind: 'any', phrases: [...all.values()] });
    rest = blankOut(rest, start, end);
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

/** Parses a query; empty when it contains nothing that could occur in a text. */
export function parseQuery(query: string): Part[] {
  const found: Part[] = [];
  for (const { text, quoted } of segments(query.toWellFormed().replace(/\p{Cc}/gu, ' '))) {
    const { parts, rest: unnamed } = takeNamed(text);
    const identifiers = quoted ? { parts: [], rest: unnamed } : takeIdentifiers(unnamed);
    found.push(...parts, ...identifiers.parts);
    const rest = quoted ? identifiers.rest : identifiers.rest.replace(RUPEES, ' ');
    // An unquoted piece between blanks is one part: `INV-17/26` is a phrase of its words.
    for (const piece of rest.split(quoted ? /\n+/ : /\s+/)) {
      const part = partOf(piece);
      if (part) found.push(quoted && part.kind === 'word' ? { kind: 'phrase', terms: [part.term] } : part);
    }
  }
  const unique = new Map(found.map((part) => [JSON.stringify(part), part]));
  return [...unique.values()].slice(0, PARTS_MAX);
}

/** Whether a part may also match as a prefix: a word of three letters or more. */
export const mayBePrefix = (part: Part): part is Extract<Part, { kind: 'word' }> =>
  part.kind === 'word' && indexedPrefix(part.term) !== undefined;

/**
 * The index expression of a query. With `prefixes`, words may also match as prefixes: the index knows only their
 * first letters, so the caller must verify each match against the text.
 */
export function matchExpression(
  parts: readonly Part[],
  hash: Hasher,
  { prefixes }: { prefixes: boolean },
): string {
  return parts
    .map((part) => {
      if (part.kind === 'named') return inNamed(hash('named', part.term));
      const matchWords = (words: readonly string[]) => inWords(words.map((word) => hash('word', word)));
      if (part.kind === 'any') return `(${part.phrases.map(matchWords).join(' OR ')})`;
      const exact = matchWords(part.kind === 'word' ? [part.term] : part.terms);
      return prefixes && mayBePrefix(part)
        ? `(${exact} OR ${inAny(hash('head', indexedPrefix(part.term)!))})`
        : exact;
    })
    .join(' AND ');
}

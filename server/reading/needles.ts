import type { Part } from './query.ts';

/**
 * What is looked for in a page before the page is split into words, which costs thirty times as much: each expression of
 * one of the lists occurs in every page that contains the part. Null for a part that is not known by its letters, such
 * as a date in any notation.
 */
export type Needle = readonly (readonly RegExp[])[] | null;

const NUMBER = /^\d+(?:\.\d+)?$/;
const LETTERS_OR_DIGITS = /^[\p{L}\p{M}\d]+$/u;

/** A number is looked for up to its decimals and with commas anywhere, a word as it is. */
function expressionOf(term: string): RegExp | null {
  if (NUMBER.test(term)) return new RegExp(Array.from(term.split('.')[0]!).join(',?'));
  return LETTERS_OR_DIGITS.test(term) ? new RegExp(term) : null;
}

const expressionsOf = (terms: readonly string[]): RegExp[] =>
  terms.flatMap((term) => expressionOf(term) ?? []);

/** The needle of a part of a query. */
export function needleOf(part: Part): Needle {
  if (part.kind === 'named') return null;
  const phrases = part.kind === 'word' ? [[part.term]] : part.kind === 'phrase' ? [part.terms] : part.phrases;
  const needle = phrases.map(expressionsOf);
  return needle.every((expressions) => expressions.length > 0) ? needle : null;
}

/** Whether a text may contain the part. @param plain the text, folded and with ASCII digits. */
export const mayContain = (plain: string, needle: Needle): boolean =>
  needle === null || needle.some((expressions) => expressions.every((expression) => expression.test(plain)));

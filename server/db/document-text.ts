import type { Knex } from 'knex';
import { onPostgres } from './dialect.ts';
import * as postgres from './postgres/document-text.ts';
import * as sqlite from './sqlite/document-text.ts';

/**
 * The full-text index of documents by what they say, in SQLite's FTS5 or PostgreSQL's GIN: nobody else knows how it is kept. What stands in
 * it are keyed hashes, which `reading/index-entry.ts` makes. A question has three kinds of terms: `inWords`, `inNamed` and `inAny`.
 */
export interface TextEntry {
  id: number;
  /** Hashes with blanks between: of beginnings of words, then one for each word, in their order. */
  words: string;
  /** Hashes of what a text names in whatever form. */
  named: string;
}

/** The words one after another. */
export const inWords = (hashes: readonly string[]): string => `words : "${hashes.join(' ')}"`;
export const inNamed = (hash: string): string => `named : "${hash}"`;
/** In either: where beginnings of words stand has changed once. */
export const inAny = (hash: string): string => `"${hash}"`;

/** What is asked of the texts of a firm. */
export interface TextsAsked {
  firmId: number;
  question: string;
  limit: number;
  /** Of the items `i`; '' lets all through. */
  condition: string;
  bindings?: readonly Knex.RawBinding[];
}

const side = onPostgres ? postgres : sqlite;

/** Selects the contents of a firm's files whose text matches, which names alone are asked for; bound to the question and the firm. */
export const TEXTS_NAMING = side.TEXTS_NAMING;

/** In the place of what stood there before. */
export const putText = side.putText;
export const removeTexts = side.removeTexts;

/** Files whose text matches, the newest text first, of the items that the condition lets through. */
export const newestTexts = side.newestTexts;

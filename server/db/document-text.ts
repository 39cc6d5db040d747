import type { Knex } from 'knex';
import { onPostgres } from './dialect.ts';
import * as postgres from './postgres/document-text.ts';
import * as sqlite from './sqlite/document-text.ts';

/**
 * An entry of the full-text index of document texts (table `document_text_search`), in SQLite's FTS5 or PostgreSQL's GIN. Only this
 * module knows how it is stored. It contains keyed hashes, which `reading/index-entry.ts` makes. A match expression has three kinds of
 * terms: `inWords`, `inNamed` and `inAny`.
 */
export interface TextEntry {
  id: number;
  /** Hashes separated by spaces: of the beginnings of words, then one for each word of the text in order. */
  words: string;
  /** Hashes of the names and numbers in a text, in a normal form. */
  named: string;
}

/** A phrase: the words one after another. */
export const inWords = (hashes: readonly string[]): string => `words : "${hashes.join(' ')}"`;
export const inNamed = (hash: string): string => `named : "${hash}"`;
/** In either column: an older version stored the beginnings of words in `named`. */
export const inAny = (hash: string): string => `"${hash}"`;

/** A search in the texts of a firm. */
export interface TextQuery {
  firmId: number;
  /** Terms with AND, OR and NOT. */
  matchExpression: string;
  limit: number;
  /** An SQL condition on `items i`; '' for none. */
  condition: string;
  bindings?: readonly Knex.RawBinding[];
}

const index = onPostgres ? postgres : sqlite;

/** Selects the `sha256` of a firm's texts that match an expression of `inNamed` terms; bound to the expression and the firm's id. */
export const TEXTS_NAMING = index.TEXTS_NAMING;

/** Inserts or replaces an entry. */
export const putText = index.putText;
export const removeTexts = index.removeTexts;

/** Files whose text matches a query, those with the newest text first. */
export const newestTexts = index.newestTexts;

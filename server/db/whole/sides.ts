import type { TextEntry } from '../document-text.ts';

/*
 * A whole database, read from SQLite or PostgreSQL and written to the other: the same tables, columns and keys stand in both, but
 * for the full-text indexes, which each keeps in its own way.
 */

/** What a column holds: both drivers give and take the same. */
export type Value = number | string | Buffer | null;
export type Row = readonly Value[];

export interface Table {
  name: string;
  columns: readonly string[];
  /** By which its rows are in order: that of its primary key, or of the row's number where it has none. */
  key: readonly string[];
}

/** An item in the index of names, with what its grams are made of. */
export interface NamedItem {
  id: number;
  firm_id: number;
  name: string;
}

/** A database that does not change meanwhile. What is many comes a part at a time, in the order of its key. */
export interface Side {
  tables(): Promise<Table[]>;
  rows(table: Table): AsyncIterable<Row[]>;
  /** The highest number that each table has given out, also those of rows that are gone: none is given twice. */
  numbers(): Promise<Map<string, number>>;
  /** What stands in the index of names. */
  names(): AsyncIterable<NamedItem[]>;
  /** What stands in the index of what documents say. */
  texts(): AsyncIterable<TextEntry[]>;
}

/** One that is filled: nobody else sees anything of it before `finish` is through, and nothing is left of it when that fails. */
export interface Filling extends Side {
  add(table: Table, rows: readonly Row[]): Promise<void>;
  addNames(entries: readonly { id: number; grams: string }[]): Promise<void>;
  addTexts(entries: readonly TextEntry[]): Promise<void>;
  setNumber(table: string, last: number): Promise<void>;
  /** Puts keys, rules and indexes back, by which all rows are checked once more. */
  finish(): Promise<void>;
}

/** What databases and knex keep for themselves, the full-text indexes, and what SQLite makes for those. */
const NOT_OURS = /^(?:sqlite_|knex_|item_search|document_text_search)/;

/** Whether a table holds rows of the vault, which are the same in both. */
export const isOurs = (name: string): boolean => !NOT_OURS.test(name);

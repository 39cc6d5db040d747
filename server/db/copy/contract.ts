import type { TextEntry } from '../document-text.ts';

/*
 * Reading and writing a complete database in SQLite or PostgreSQL. Both have the same tables, columns and keys, but each has full-text
 * indexes of its own.
 */

/** The value of a column; both drivers return and accept the same. */
export type Value = number | string | Buffer | null;
export type Row = readonly Value[];

export interface Table {
  name: string;
  columns: readonly string[];
  /** The columns of the primary key, by which rows are ordered. */
  key: readonly string[];
}

/** An entry of the index of names, with what its grams are made from. */
export interface NamedItem {
  id: number;
  firm_id: number;
  name: string;
}

/** Reads a database that nobody changes meanwhile. Rows and entries come in batches, ordered by their key. */
export interface DatabaseReader {
  tables(): Promise<Table[]>;
  rows(table: Table): AsyncIterable<Row[]>;
  /** The highest id that each table has assigned, including those of deleted rows: ids are not reused. */
  lastIds(): Promise<Map<string, number>>;
  nameEntries(): AsyncIterable<NamedItem[]>;
  textEntries(): AsyncIterable<TextEntry[]>;
}

/** Writes a database in one transaction: others see nothing of it before `finish`, and a failure leaves nothing. */
export interface DatabaseWriter extends DatabaseReader {
  insert(table: Table, rows: readonly Row[]): Promise<void>;
  insertNames(entries: readonly { id: number; grams: string }[]): Promise<void>;
  insertTexts(entries: readonly TextEntry[]): Promise<void>;
  setLastId(table: string, id: number): Promise<void>;
  /** Restores foreign keys, triggers and indexes, and so checks all rows against the foreign keys. */
  finish(): Promise<void>;
}

/** The internal tables of databases and of knex, and the full-text indexes with their shadow tables. */
const INTERNAL = /^(?:sqlite_|knex_|item_search|document_text_search)/;

/** Whether a table holds rows of the vault, which are the same in both databases. */
export const isVaultTable = (name: string): boolean => !INTERNAL.test(name);

import type { Knex } from 'knex';
import { execute, queryRows } from './sql.ts';

/**
 * The full-text index of documents by what they say, in SQLite's FTS5: nobody else knows how it is kept. What stands in
 * it are keyed hashes, which `reading/index.ts` makes. A question has three kinds of terms: `inWords`, `inNamed` and `inAny`.
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

/** Selects the contents of a firm's files whose text matches; bound to the question and the firm. */
export const TEXTS_NAMING = `SELECT t.sha256 FROM document_text_search CROSS JOIN document_texts t
  WHERE document_text_search MATCH ? AND t.id = document_text_search.rowid AND t.firm_id = ?`;

/** In the place of what stood there before. */
export async function putText(trx: Knex.Transaction, { id, words, named }: TextEntry): Promise<void> {
  await removeTexts(trx, [id]);
  await execute(trx, 'INSERT INTO document_text_search (rowid, words, named) VALUES (?, ?, ?)', [
    id,
    words,
    named,
  ]);
}

export async function removeTexts(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  await trx('document_text_search').whereIn('rowid', ids).delete();
}

/**
 * Files whose text matches, the newest text first, of the items `i` that a condition lets through; '' lets all. The
 * index is walked backwards and no further than to the limit.
 */
export const newestTexts = <T>(
  db: Knex,
  columns: string,
  {
    firmId,
    question,
    limit,
    condition,
    bindings = [],
  }: {
    firmId: number;
    question: string;
    limit: number;
    condition: string;
    bindings?: readonly Knex.RawBinding[];
  },
): Promise<T[]> =>
  queryRows(
    db,
    `SELECT ${columns} FROM document_text_search CROSS JOIN document_texts t CROSS JOIN items i
     WHERE document_text_search MATCH ? AND t.id = document_text_search.rowid AND t.firm_id = ? AND t.blob_id IS NOT NULL
     AND i.firm_id = t.firm_id AND i.sha256 = t.sha256${condition && ` AND ${condition}`}
     ORDER BY document_text_search.rowid DESC LIMIT ?`,
    [question, firmId, ...bindings, limit],
  );

import type { Knex } from 'knex';
import type { TextEntry, TextQuery } from '../document-text.ts';
import { execute, queryRows } from '../sql.ts';

// The SQLite side of `../document-text.ts`, which documents these functions.

export const TEXTS_NAMING = `SELECT t.sha256 FROM document_text_search CROSS JOIN document_texts t
  WHERE document_text_search MATCH ? AND t.id = document_text_search.rowid AND t.firm_id = ?`;

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

/** FTS5 scans its index backwards and stops at the limit. */
export const newestTexts = <T>(
  db: Knex,
  columns: string,
  { firmId, matchExpression, limit, condition, bindings = [] }: TextQuery,
): Promise<T[]> =>
  queryRows(
    db,
    `SELECT ${columns} FROM document_text_search CROSS JOIN document_texts t CROSS JOIN items i
     WHERE document_text_search MATCH ? AND t.id = document_text_search.rowid AND t.firm_id = ? AND t.blob_id IS NOT NULL
     AND i.firm_id = t.firm_id AND i.sha256 = t.sha256${condition && ` AND ${condition}`}
     ORDER BY document_text_search.rowid DESC LIMIT ?`,
    [matchExpression, firmId, ...bindings, limit],
  );

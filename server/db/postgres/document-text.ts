import type { Knex } from 'knex';
import type { TextEntry, TextQuery } from '../document-text.ts';
import { execute, queryRows } from '../sql.ts';

// The PostgreSQL side of `../document-text.ts`, which documents these functions. The GIN index is on `terms`: each hash once, prefixed
// with a letter for its column. `words` has the hashes in order, with spaces around them, for phrases.

/** One matching hash of the expression is enough. */
export const TEXTS_NAMING = `SELECT t.sha256 FROM document_text_search s JOIN document_texts t ON t.id = s.id
  WHERE s.terms && ARRAY(SELECT 'n' || matches.hash[1] FROM regexp_matches(?, '"(\\w+)"', 'g') AS matches(hash)) AND t.firm_id = ?`;

const hashesOf = (text: string): string[] => text.split(' ').filter(Boolean);

export async function putText(trx: Knex.Transaction, { id, words, named }: TextEntry): Promise<void> {
  const terms = new Set([
    ...hashesOf(words).map((hash) => `w${hash}`),
    ...hashesOf(named).map((hash) => `n${hash}`),
  ]);
  await removeTexts(trx, [id]);
  await execute(
    trx,
    `INSERT INTO document_text_search (id, words, terms) VALUES (?, ?, string_to_array(?, ' '))`,
    [id, ` ${words} `, [...terms].join(' ')],
  );
}

export async function removeTexts(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  await trx('document_text_search').whereIn('id', ids).delete();
}

const containsAll = (hashes: readonly string[]): string => `s.terms @> '{${hashes.join(',')}}'::text[]`;

/** Translates a term of a match expression into an SQL condition. Hashes consist of letters and digits, so they need no quoting. */
function termCondition(column: string | undefined, hashes: readonly string[]): string {
  if (column === 'named') return containsAll([`n${hashes[0]}`]);
  const words = containsAll(hashes.map((hash) => `w${hash}`));
  if (column === undefined) return `(${words} OR ${containsAll([`n${hashes[0]}`])})`;
  return hashes.length === 1 ? words : `(${words} AND strpos(s.words, ' ${hashes.join(' ')} ') > 0)`;
}

const TERM = /(?:(words|named) : )?"([0-9a-z ]+)"/g;
const conditionOf = (matchExpression: string): string =>
  matchExpression.replace(TERM, (_, column: string | undefined, hashes: string) =>
    termCondition(column, hashesOf(hashes)),
  );

export const newestTexts = <T>(
  db: Knex,
  columns: string,
  { firmId, matchExpression, limit, condition, bindings = [] }: TextQuery,
): Promise<T[]> =>
  queryRows(
    db,
    `SELECT ${columns} FROM document_text_search s JOIN document_texts t ON t.id = s.id
     JOIN items i ON i.firm_id = t.firm_id AND i.sha256 = t.sha256
     WHERE (${conditionOf(matchExpression)}) AND t.firm_id = ? AND t.blob_id IS NOT NULL${condition && ` AND ${condition}`}
     ORDER BY s.id DESC LIMIT ?`,
    [firmId, ...bindings, limit],
  );

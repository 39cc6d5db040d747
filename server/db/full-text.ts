import type { Knex } from 'knex';
import { onPostgres } from './dialect.ts';
import * as postgres from './postgres/full-text.ts';
import { checkOnly, queryManyRows, queryRow, queryRows, words } from './sql.ts';
import * as sqlite from './sqlite/full-text.ts';

/** What is asked for of the newest items that match, in a statement that is bound to the question. */
export interface Newest {
  /** Of the items `i`. */
  columns: readonly string[];
  limit: number;
  /** Of the items `i`; '' lets all through. */
  condition: string;
}

/**
 * The full-text index of items by the grams of their names, in SQLite's FTS5 or PostgreSQL's GIN: nobody else knows how it is
 * kept. What the grams are and how a question is asked of them is `search/grams.ts`'s.
 */
const side = onPostgres ? postgres : sqlite;

/** The id of an entry, in the conditions of the questions below. */
export const FOUND_ID = side.ENTRY;

/** Selects the `id` of the items whose grams match the question that it is bound to. */
export const MATCHING = `SELECT ${FOUND_ID} AS id FROM item_search WHERE ${side.MATCH}`;

/** As `MATCHING`, of the items `i` that a condition lets through; '' lets all. */
export const matchingWhere = (condition: string): string =>
  condition === ''
    ? MATCHING
    : `SELECT i.id FROM item_search CROSS JOIN items i
       WHERE ${side.MATCH} AND i.id = ${FOUND_ID} AND ${condition}`;

/** As `MATCHING`, the newest items first; with `among` only of those that it selects. */
export const newestMatching = (limit: number, among?: string): string =>
  among
    ? `${MATCHING} AND ${checkOnly(FOUND_ID)} IN (${among}) ORDER BY ${FOUND_ID} DESC LIMIT ${limit}`
    : newestWhere(limit, '');

/** As `MATCHING`, the newest of the items `i` that a condition lets through; '' lets all. */
export const newestWhere = (limit: number, condition: string): string =>
  side.newest({ columns: ['id'], limit, condition });

/** For each of the questions, in one statement, the ids that `newestWhere` selects. */
export async function newestOfEach(
  db: Knex,
  questions: readonly string[],
  limit: number,
  condition: string,
): Promise<number[][]> {
  if (questions.length === 0) return [];
  const one = `(SELECT ${words.jsonOf('id')} FROM (${newestWhere(limit, condition)}) AS newest)`;
  const row = await queryRow<{ made: string }>(
    db,
    `SELECT ${words.jsonArray(questions.map(() => one))} AS made`,
    questions,
  );
  return JSON.parse(row!.made) as number[][];
}

/** Columns of the newest of a firm's items `i` that match and that a condition lets through; '' lets all. */
export const newestItems = <T>(
  db: Knex,
  columns: readonly (keyof T & string)[],
  { firmId, question, ...asked }: { firmId: number; question: string; limit: number; condition: string },
): Promise<T[]> => {
  const condition = `i.firm_id = ${Number(firmId)}${asked.condition && ` AND ${asked.condition}`}`;
  return queryManyRows(db, columns, side.newest({ ...asked, columns, condition }), [question]);
};

/** What lies in folders in Trash and matches, with the deleted folder, the newest `limit`, however many match elsewhere. */
export const newestInTrash = (
  db: Knex,
  { firmId, question, limit }: { firmId: number; question: string; limit: number },
): Promise<{ id: number; root: number; name: string; parent_id: number }[]> =>
  queryRows(
    db,
    `SELECT i.id, h.trash AS root, i.name, i.parent_id FROM item_search
     CROSS JOIN hidden_items h CROSS JOIN item_rows i
     WHERE ${side.MATCH} AND h.item_id = ${FOUND_ID} AND h.trash IS NOT NULL AND h.trash <> h.item_id
       AND i.id = h.item_id AND i.firm_id = ? ORDER BY ${FOUND_ID} DESC LIMIT ?`,
    [question, firmId, limit],
  );

/** Puts in entries that are not there yet. */
export const addEntries = side.addEntries;
export const removeEntries = side.removeEntries;

/** Whether grams of removed entries may still stand in the index: FTS5 only notes what is removed. */
export const holdsRemoved = side.holdsRemoved;

/**
 * Writes the index anew without the grams of what was removed, in short steps between which others write. What is
 * removed meanwhile may be left for the next time.
 * @returns how many steps it took.
 */
export const dropRemoved = side.dropRemoved;

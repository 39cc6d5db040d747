import type { Knex } from 'knex';
import { onPostgres } from './dialect.ts';
import { postgresFragments } from './postgres/sql-fragments.ts';
import { sqliteFragments } from './sqlite/sql-fragments.ts';

export const fragments = onPostgres ? postgresFragments : sqliteFragments;

type Bindings = readonly Knex.RawBinding[];

// Rows with behaviour, such as users, clients, plans and templates, are Objection models. Lists, trees, running totals and queues are
// not: their rows are read and written in bulk by an index that the query chooses, and an object for each row would cost more than the
// query. They use knex's query builder, or SQL text for what the builder cannot express.

/** Runs a query written as SQL text and returns its rows. */
export async function queryRows<T>(db: Knex, sql: string, bindings: Bindings = []): Promise<T[]> {
  return (await db.raw(sql, [...bindings])) as T[];
}

/** Like `queryRows`, but returns only the first row. */
export async function queryRow<T>(db: Knex, sql: string, bindings: Bindings = []): Promise<T | undefined> {
  const [row] = await queryRows<T>(db, sql, bindings);
  return row;
}

/**
 * Like `queryRows`, but faster for hundreds of rows on SQLite: they are fetched as one JSON text, which takes a third of the time that
 * the driver takes to create the rows one by one. The columns must hold numbers, texts and nulls.
 */
export async function queryManyRows<T>(
  db: Knex,
  columns: readonly (keyof T & string)[],
  sql: string,
  bindings: Bindings = [],
): Promise<T[]> {
  if (onPostgres) return queryRows(db, sql, bindings);
  const row = await queryRow<{ json: string }>(
    db,
    `SELECT json_group_array(json_array(${columns.join(', ')})) AS json FROM (${sql}) AS each_row`,
    bindings,
  );
  // Rows are copies of one template: an object that gains its properties one by one is reallocated again and again.
  const template: Record<string, unknown> = Object.fromEntries(columns.map((column) => [column, null]));
  return (JSON.parse(row!.json) as unknown[][]).map((values) => {
    const object = { ...template };
    for (let index = 0; index < columns.length; index += 1) object[columns[index]!] = values[index];
    return object as T;
  });
}

/** `queryManyRows` for a query of knex's builder that selects these columns. */
export function manyRowsOf<T>(
  db: Knex,
  columns: readonly (keyof T & string)[],
  query: Knex.QueryBuilder,
): Promise<T[]> {
  const { sql, bindings } = query.toSQL();
  return queryManyRows(db, columns, sql, bindings as Knex.RawBinding[]);
}

/** Counts the rows of a query with one binding, for each of several values, in one statement. */
export async function countsOf(db: Knex, sql: string, values: readonly Knex.RawBinding[]): Promise<number[]> {
  if (values.length === 0) return [];
  const subqueries = values.map(() => `(SELECT count(*) FROM (${sql}) AS matches)`);
  const row = await queryRow<{ counts: string }>(
    db,
    `SELECT ${fragments.jsonArray(subqueries)} AS counts`,
    values,
  );
  return JSON.parse(row!.counts) as number[];
}

/** Runs a statement written as SQL text. To learn which rows it changed, use `RETURNING` with `queryRows`. */
export async function execute(db: Knex, sql: string, bindings: Bindings = []): Promise<void> {
  await db.raw(sql, [...bindings]);
}

/** SQL text inside a query of knex's builder: a column to select, or a value. */
export const expression = (db: Knex, sql: string, bindings: Bindings = []): Knex.Raw =>
  db.raw(sql, [...bindings]);

/** A question mark for each value, to be used as `IN (…)`. Without values it is NULL, which matches nothing. */
export const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(',') || 'NULL';

/** The rows of an `INSERT … VALUES`: a question mark for each column of each row. */
export const valueRows = (rows: readonly unknown[], columns: number): string =>
  rows.map(() => `(${Array.from({ length: columns }, () => '?').join(', ')})`).join(', ');

/** The subquery for `IN (…)` with any number of ids, which are bound as one JSON value that `bindList` makes. */
export const BOUND_IDS = fragments.boundIds;

/** Like `BOUND_IDS`, for texts. */
export const BOUND_TEXTS = fragments.boundTexts;

/** The JSON value to bind to `BOUND_IDS`, `BOUND_TEXTS`, `boundIdRows`, `boundTextRows` or `boundTupleRows`. */
export const bindList = (values: Iterable<unknown>): string => JSON.stringify([...values]);

/** A table of the ids that `bindList` binds, for a join. Its only column is `value`. */
export const boundIdRows = fragments.boundIdRows;

/** Like `boundIdRows`, for texts. */
export const boundTextRows = fragments.boundTextRows;

/** Like `boundIdRows`, for arrays: `numberOf` and `textOf` extract their elements from `value`. */
export const boundTupleRows = fragments.boundTupleRows;
export const numberOf = fragments.numberOf;
export const textOf = fragments.textOf;

/** A text member of an object that a column holds as JSON. */
export const memberOf = fragments.memberOf;

/**
 * A column that SQLite does not look up in an index (`+column`), so that the condition only filters the rows of another one. Otherwise
 * its planner may read all rows of a firm to find a few ids.
 */
export const checkOnly = fragments.checkOnly;

/**
 * An ORDER BY for a query whose subquery is in this order already. SQLite preserves that order and would sort again, so it gets none.
 * PostgreSQL does not guarantee it, and a hash join loses it.
 */
export const subqueryOrder = fragments.subqueryOrder;

/** The position of a substring in a text, from 1; 0 if it is not there. Case matters, unlike with LIKE in SQLite. */
export const positionOf = fragments.positionOf;

export const LINE_END = fragments.lineEnd;

/** The bytes of a text of hex digits. */
export const fromHex = fragments.fromHex;

/** The smaller of two values. */
export const smallerOf = fragments.smallerOf;

/** All values of a column, separated by commas; null without rows. */
export const commaSeparated = fragments.commaSeparated;

/** The month in India, such as `2026-04`, of an ISO 8601 time in UTC. */
export const monthInIndia = fragments.monthInIndia;

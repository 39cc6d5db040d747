import type { Knex } from 'knex';
import { onPostgres } from './dialect.ts';
import { postgresWords } from './postgres/words.ts';
import { sqliteWords } from './sqlite/words.ts';

/** Those of the database that this process works on. */
export const words = onPostgres ? postgresWords : sqliteWords;

type Bindings = readonly Knex.RawBinding[];

// Where a row has behaviour, such as a user, a client, a plan or a template, it is a model of Objection's. Lists, trees,
// running totals and queues are not: they are read and written many at a time, by an index that we choose, and
// making an object of each row would cost more than the query. They are knex's builder, or text where that has no word.

/** The rows that a query written as text answers with; for lists and trees, and where an index has to be chosen. */
export async function queryRows<T>(db: Knex, sql: string, bindings: Bindings = []): Promise<T[]> {
  return (await db.raw(sql, [...bindings])) as T[];
}

/** As `queryRows`, the first row alone. */
export async function queryRow<T>(db: Knex, sql: string, bindings: Bindings = []): Promise<T | undefined> {
  const [row] = await queryRows<T>(db, sql, bindings);
  return row;
}

/**
 * As `queryRows`, for hundreds of rows: they come as one text, a list of values for each. To read that takes a third of
 * the time that the driver takes to make its rows one by one. Their order is that of the query, whose columns are numbers,
 * texts and nulls.
 */
export async function queryManyRows<T>(
  db: Knex,
  columns: readonly (keyof T & string)[],
  sql: string,
  bindings: Bindings = [],
): Promise<T[]> {
  if (onPostgres) return queryRows(db, sql, bindings);
  const row = await queryRow<{ made: string }>(
    db,
    `SELECT json_group_array(json_array(${columns.join(', ')})) AS made FROM (${sql}) AS each_row`,
    bindings,
  );
  // Copied whole: an object that gets one property after another is given room again and again.
  const blank: Record<string, unknown> = Object.fromEntries(columns.map((column) => [column, null]));
  return (JSON.parse(row!.made) as unknown[][]).map((values) => {
    const made = { ...blank };
    for (let at = 0; at < columns.length; at += 1) made[columns[at]!] = values[at];
    return made as T;
  });
}

/** `queryManyRows` of a query of knex's builder, which selects these columns. */
export function manyRowsOf<T>(
  db: Knex,
  columns: readonly (keyof T & string)[],
  query: Knex.QueryBuilder,
): Promise<T[]> {
  const { sql, bindings } = query.toSQL();
  return queryManyRows(db, columns, sql, bindings as Knex.RawBinding[]);
}

/** How many rows a query finds for each of the values that it is bound to, in one statement. */
export async function countsOf(db: Knex, sql: string, values: readonly Knex.RawBinding[]): Promise<number[]> {
  if (values.length === 0) return [];
  const each = values.map(() => `(SELECT count(*) FROM (${sql}) AS found)`);
  const row = await queryRow<{ counts: string }>(db, `SELECT ${words.jsonArray(each)} AS counts`, values);
  return JSON.parse(row!.counts) as number[];
}

/** Runs a statement written as text. Which rows it changed is asked with `RETURNING`, by `queryRows`. */
export async function execute(db: Knex, sql: string, bindings: Bindings = []): Promise<void> {
  await db.raw(sql, [...bindings]);
}

/** A piece of SQL for a knex query: a column to select, or the value of one. */
export const expression = (db: Knex, sql: string, bindings: Bindings = []): Knex.Raw =>
  db.raw(sql, [...bindings]);

/** A question mark for each value, for the inside of `IN (…)`; without any, nothing is in it. */
export const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(',') || 'NULL';

/** The rows of an `INSERT … VALUES`: a question mark for each of so many columns of each row. */
export const valueRows = (rows: readonly unknown[], columns: number): string =>
  rows.map(() => `(${Array.from({ length: columns }, () => '?').join(', ')})`).join(', ');

/** For the inside of `IN (…)`: any number of ids in one statement, bound as one value by `list`. */
export const EACH = words.each;

/** As `EACH`, of texts. */
export const EACH_TEXT = words.eachText;

/** What `EACH`, `eachRow` and their like are bound to. */
export const list = (values: Iterable<unknown>): string => JSON.stringify([...values]);

/** A table of the ids bound by `list`, for a join: its only column is `value`. */
export const eachRow = words.eachRow;

/** As `eachRow`, of texts. */
export const eachTexts = words.eachTexts;

/** As `eachRow`, of lists, whose parts `numberOf` and `textOf` take out of `value`. */
export const eachParts = words.eachParts;
export const numberOf = words.numberOf;
export const textOf = words.textOf;

/**
 * The column, but never looked up in an index: it only checks what another condition has found. Left alone, SQLite's
 * planner reads a whole firm and looks for the few ids in it.
 */
export const checkOnly = words.checkOnly;

/**
 * For a query of another one that is in this order already: SQLite keeps it, and would sort again if it were told; PostgreSQL promises
 * nothing, and loses it where it joins by hashes.
 */
export const keptOrder = words.keptOrder;

/** Where the text holds the part, from 1; 0 when it does not. Bytes are compared, which LIKE does not do. */
export const positionOf = words.positionOf;

export const LINE_END = words.lineEnd;

/** The bytes that a text gives in hex. */
export const fromHex = words.fromHex;

/** The smaller of two values. */
export const lesser = words.lesser;

/** All values of a column, with commas between; null for none. */
export const joined = words.joined;

/** `2026-04`: the month in India of a time kept as ISO 8601 in UTC. */
export const monthInIndia = words.monthInIndia;

/*
 * Queries are written in SQLite's SQL. This translates the few constructs that PostgreSQL writes in another way and that have no
 * fragment in `sql.ts`.
 */

/** `CROSS JOIN … ON` fixes the join order for SQLite's planner; in PostgreSQL a CROSS JOIN with a condition is a syntax error. */
const CROSS_JOIN_ON =
  /CROSS JOIN(?=\s+(?:LATERAL )?(?:[\w"]+|\((?:[^()]|\([^()]*\))*\))(?:\s+(?:AS\s+)?(?!ON\b)\w+)?\s+ON\b)/g;

export const withPlainJoins = (sql: string): string => sql.replace(CROSS_JOIN_ON, 'JOIN');

/**
 * `column IN (list)`, where the list is bound as one JSON value (`BOUND_IDS` of `sql.ts`). PostgreSQL's planner has to guess the length
 * of such a list, and scans the whole table in some of these queries; with `= ANY (array)` it uses the index.
 */
const IN_BOUND_LIST =
  /(?<=[\w"])(?<!\bNOT) IN \((SELECT value::\w+ AS value FROM jsonb_array_elements_text\(\?::jsonb\) AS each_one\(value\))\)/g;

export const toPostgresSql = (sql: string): string =>
  withPlainJoins(sql).replace(IN_BOUND_LIST, ' = ANY (ARRAY($1))');

/*
 * The texts of queries are SQLite's; these are the few words in them that PostgreSQL spells in another way and that no
 * helper of `sql.ts` stands for.
 */

/**
 * `CROSS JOIN … ON` tells SQLite's planner to keep an order; to PostgreSQL, which chooses by itself, a CROSS JOIN with a condition
 * is an error.
 */
const IN_ORDER =
  /CROSS JOIN(?=\s+(?:LATERAL )?(?:[\w"]+|\((?:[^()]|\([^()]*\))*\))(?:\s+(?:AS\s+)?(?!ON\b)\w+)?\s+ON\b)/g;

export const joinedInOrder = (sql: string): string => sql.replace(IN_ORDER, 'JOIN');

/**
 * A column in a list that is bound as one value, as `EACH` of `sql.ts` says it. Its planner guesses how long the list is, and for some of
 * these questions would read the whole table; an array it looks up one by one.
 */
const IN_LIST =
  /(?<=[\w"])(?<!\bNOT) IN \((SELECT value::\w+ AS value FROM jsonb_array_elements_text\(\?::jsonb\) AS each_one\(value\))\)/g;
export const spelled = (sql: string): string => joinedInOrder(sql).replace(IN_LIST, ' = ANY (ARRAY($1))');

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

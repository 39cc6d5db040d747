import type { SqlFragments } from '../sql-fragments.ts';

const valuesOf = (type: string): string =>
  `SELECT value::${type} AS value FROM jsonb_array_elements_text(?::jsonb) AS each_one(value)`;

/** Formats an ISO 8601 time in UTC by the clock of India. */
const inIndia = (time: string, pattern: string): string =>
  `to_char((${time})::timestamptz AT TIME ZONE INTERVAL '+05:30', '${pattern}')`;

const DAY = 'YYYY-MM-DD';

export const postgresFragments: SqlFragments = {
  boundIds: valuesOf('bigint'),
  boundTexts: valuesOf('text'),
  boundIdRows: (alias) => `(${valuesOf('bigint')}) ${alias}`,
  boundTextRows: (alias) => `(${valuesOf('text')}) ${alias}`,
  boundTupleRows: (alias) => `jsonb_array_elements(?::jsonb) AS ${alias}(value)`,
  numberOf: (value, index) => `(${value}->>${index})::bigint`,
  textOf: (value, index) => `(${value}->>${index})`,
  memberOf: (text, name) => `(${text}::json->>'${name}')`,
  // PostgreSQL's planner needs no hint. The parentheses only keep `translate.ts` from turning the list into an index lookup.
  checkOnly: (column) => `(${column})`,
  subqueryOrder: (order) => ` ORDER BY ${order}`,
  positionOf: (part, text) => `strpos(${text}, ${part})`,
  lineEnd: 'chr(10)',
  fromHex: (text) => `decode(${text}, 'hex')`,
  smallerOf: (a, b) => `least(${a}, ${b})`,
  greatest: (texts) => `greatest(${texts.join(', ')})`,
  commaSeparated: (column) => `string_agg((${column})::text, ',')`,
  jsonArray: (values) => `json_build_array(${values.join(', ')})`,
  jsonOf: (column) => `coalesce(json_agg(${column}), '[]')`,
  monthInIndia: (time) => inIndia(time, 'YYYY-MM'),
  dayInIndia: (time) => inIndia(time, DAY),
  // Days that the month does not have overflow into the next month, as in SQLite; PostgreSQL's own addition would clamp them.
  monthsAfter: (day, months) =>
    `to_char(date_trunc('month', (${day})::timestamp) + INTERVAL '${months} months' + (extract(day FROM (${day})::timestamp) - 1) * INTERVAL '1 day', '${DAY}')`,
  yearEnd: (day) =>
    `(to_char(date_trunc('month', (${day})::timestamp) + INTERVAL '9 months', 'YYYY') || '-03-31')`,
};

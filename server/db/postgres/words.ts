import type { Words } from '../words.ts';

const valuesOf = (type: string): string =>
  `SELECT value::${type} AS value FROM jsonb_array_elements_text(?::jsonb) AS each_one(value)`;

/** A time kept as ISO 8601 in UTC, as a clock in India shows it. */
const inIndia = (time: string, pattern: string): string =>
  `to_char((${time})::timestamptz AT TIME ZONE INTERVAL '+05:30', '${pattern}')`;

const DAY = 'YYYY-MM-DD';

export const postgresWords: Words = {
  each: valuesOf('bigint'),
  eachText: valuesOf('text'),
  eachRow: (alias) => `(${valuesOf('bigint')}) ${alias}`,
  eachTexts: (alias) => `(${valuesOf('text')}) ${alias}`,
  eachParts: (alias) => `jsonb_array_elements(?::jsonb) AS ${alias}(value)`,
  numberOf: (value, at) => `(${value}->>${at})::bigint`,
  textOf: (value, at) => `(${value}->>${at})`,
  // Its planner knows how many rows a condition leaves. In brackets a list is not taken for what leads to the rows: see `statement.ts`.
  checkOnly: (column) => `(${column})`,
  keptOrder: (order) => ` ORDER BY ${order}`,
  positionOf: (part, text) => `strpos(${text}, ${part})`,
  lineEnd: 'chr(10)',
  fromHex: (text) => `decode(${text}, 'hex')`,
  lesser: (a, b) => `least(${a}, ${b})`,
  greatest: (texts) => `greatest(${texts.join(', ')})`,
  joined: (column) => `string_agg((${column})::text, ',')`,
  jsonArray: (values) => `json_build_array(${values.join(', ')})`,
  jsonOf: (column) => `coalesce(json_agg(${column}), '[]')`,
  monthInIndia: (time) => inIndia(time, 'YYYY-MM'),
  dayInIndia: (time) => inIndia(time, DAY),
  // A day that the month does not have is counted on, which adding months to a date does not do.
  monthsAfter: (day, months) =>
    `to_char(date_trunc('month', (${day})::timestamp) + INTERVAL '${months} months' + (extract(day FROM (${day})::timestamp) - 1) * INTERVAL '1 day', '${DAY}')`,
  yearEnd: (day) =>
    `(to_char(date_trunc('month', (${day})::timestamp) + INTERVAL '9 months', 'YYYY') || '-03-31')`,
};

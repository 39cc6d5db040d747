import type { SqlFragments } from '../sql-fragments.ts';

const BOUND_VALUES = 'SELECT value FROM json_each(?)';
const boundValueRows = (alias: string): string => `json_each(?) ${alias}`;
const partOf = (value: string, index: number): string => `json_extract(${value}, '$[${index}]')`;

export const sqliteFragments: SqlFragments = {
  boundIds: BOUND_VALUES,
  boundTexts: BOUND_VALUES,
  boundIdRows: boundValueRows,
  boundTextRows: boundValueRows,
  boundTupleRows: boundValueRows,
  numberOf: partOf,
  textOf: partOf,
  memberOf: (text, name) => `json_extract(${text}, '$.${name}')`,
  checkOnly: (column) => `+${column}`,
  subqueryOrder: () => '',
  positionOf: (part, text) => `instr(${text}, ${part})`,
  lineEnd: 'char(10)',
  fromHex: (text) => `unhex(${text})`,
  smallerOf: (a, b) => `min(${a}, ${b})`,
  greatest: (texts) => `max(${texts.join(', ')})`,
  commaSeparated: (column) => `group_concat(${column})`,
  jsonArray: (values) => `json_array(${values.map((value) => `json(${value})`).join(', ')})`,
  jsonOf: (column) => `json_group_array(${column})`,
  monthInIndia: (time) => `strftime('%Y-%m', ${time}, '+330 minutes')`,
  dayInIndia: (time) => `date(${time}, '+330 minutes')`,
  monthsAfter: (day, months) => `date(${day}, '+${months} months')`,
  yearEnd: (day) => `(strftime('%Y', ${day}, 'start of month', '+9 months') || '-03-31')`,
};

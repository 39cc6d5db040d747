import type { Knex } from 'knex';
import { monthsAfter, latestOf, yearEnd } from '#server/db/days.ts';
import type { AppliesTo, CountsFrom } from './contract.ts';

/** A rule that stands, as it is asked of files. */
export interface Rule {
  id: number;
  name: string;
  source: string;
  applies_to: AppliesTo;
  client_type: string | null;
  item_id: number | null;
  label_id: number | null;
  months: number;
  counts_from: CountsFrom;
}

/** Sorts after every day: of what is kept until somebody says a day. */
export const NO_DAY = '9999-12-31';

/** The rules of a firm that stand. What is written about them below names them by their places here, as bits of a number. */
export const rulesOf = (db: Knex, firmId: number): Promise<Rule[]> =>
  db('retention_rules')
    .where({ firm_id: firmId })
    .whereNull('removed_at')
    .orderBy('id')
    .select(
      'id',
      'name',
      'source',
      'applies_to',
      'client_type',
      'item_id',
      'label_id',
      'months',
      'counts_from',
    );

const bit = (at: number): number => 2 ** at;
const anyOf = (parts: readonly string[]): string => (parts.length === 0 ? '0' : `(${parts.join(' | ')})`);
const sumOf = (rules: readonly Rule[], applies: (rule: Rule) => boolean): number =>
  rules.reduce((sum, rule, at) => sum + (applies(rule) ? bit(at) : 0), 0);

/** The rules whose bits a number has. */
export const rulesIn = (rules: readonly Rule[], bits: number): Rule[] =>
  rules.filter((_, at) => Math.floor(bits / bit(at)) % 2 === 1);

/** Bits of the rules that apply to everything. */
export const everything = (rules: readonly Rule[]): number =>
  sumOf(rules, ({ applies_to }) => applies_to === 'everything');

/** Whether where something lies, or a label above it, decides about it. */
export const needTree = (rules: readonly Rule[]): boolean =>
  rules.some(({ applies_to }) => applies_to === 'folder' || applies_to === 'label');
export const needClients = (rules: readonly Rule[]): boolean =>
  rules.some(({ applies_to }) => applies_to === 'client_type');

/** SQL: bits of the rules that stand on the row itself, and of the labels on it. All ids are whole numbers of ours. */
export const onRow = (rules: readonly Rule[], row: string): string =>
  anyOf(
    rules.flatMap(({ applies_to, item_id, label_id }, at) => {
      if (applies_to === 'folder')
        return [`(CASE WHEN ${row}.id = ${Number(item_id)} THEN ${bit(at)} ELSE 0 END)`];
      if (applies_to !== 'label') return [];
      const labelled = `SELECT 1 FROM item_labels l WHERE l.item_id = ${row}.id AND l.label_id = ${Number(label_id)}`;
      return [`(CASE WHEN EXISTS (${labelled}) THEN ${bit(at)} ELSE 0 END)`];
    }),
  );

/** SQL: bits of the rules for the type of a client, given by its id. */
export function ofClient(rules: readonly Rule[], client: string): string {
  const types = rules.flatMap(({ applies_to, client_type }, at) =>
    applies_to === 'client_type'
      ? [`(CASE c.client_type WHEN ${quoted(client_type!)} THEN ${bit(at)} ELSE 0 END)`]
      : [],
  );
  return types.length === 0
    ? '0'
    : `coalesce((SELECT ${anyOf(types)} FROM clients c WHERE c.id = ${client} AND c.firm_id <> 0), 0)`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * SQL: the last day on which a file has to be kept, by the longest of its rules; `NO_DAY` while a day is missing.
 * @param bits SQL of its rules; @param put SQL of the day on which it was put in; @param said of the day that was said.
 */
export const lastDayOf = (rules: readonly Rule[], bits: string, put: string, said: string): string =>
  latestOf([
    ...rules.map(
      (rule, at) => `CASE WHEN (${bits} & ${bit(at)}) <> 0 THEN ${dayOf(rule, put, said)} ELSE '' END`,
    ),
    "''",
    "''",
  ]);

function dayOf({ months, counts_from }: Rule, put: string, said: string): string {
  const from = `coalesce(${said}, ${put})`;
  if (counts_from === 'said_day') return `coalesce(${monthsAfter(said, months)}, '${NO_DAY}')`;
  return monthsAfter(counts_from === 'year_end' ? yearEnd(from) : from, months);
}

/** SQL: the place in the list of the rule that keeps a file until that day; of several the first. */
export const longestOf = (
  rules: readonly Rule[],
  bits: string,
  put: string,
  said: string,
  until: string,
): string =>
  `CASE ${rules
    .map((rule, at) => `WHEN (${bits} & ${bit(at)}) <> 0 AND ${dayOf(rule, put, said)} = ${until} THEN ${at}`)
    .join(' ')} END`;

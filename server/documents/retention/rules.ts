import type { Knex } from 'knex';
import { monthsAfter, latestOf, yearEnd } from '#server/db/days.ts';
import type { AppliesTo, CountsFrom } from './contract.ts';

/** A rule in force. */
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

/** Sorts after every day: the last day of files that are kept until somebody enters a day. */
export const NO_DAY = '9999-12-31';

/** The rules of a firm in force. A bit set of rules has bit `n` for the rule at index `n` of this list. */
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

const bit = (index: number): number => 2 ** index;
const anyOf = (parts: readonly string[]): string => (parts.length === 0 ? '0' : `(${parts.join(' | ')})`);
const sumOf = (rules: readonly Rule[], applies: (rule: Rule) => boolean): number =>
  rules.reduce((sum, rule, index) => sum + (applies(rule) ? bit(index) : 0), 0);

/** The rules in a bit set. */
export const rulesIn = (rules: readonly Rule[], bits: number): Rule[] =>
  rules.filter((_, index) => Math.floor(bits / bit(index)) % 2 === 1);

/** Bit set of the rules that apply to everything. */
export const everything = (rules: readonly Rule[]): number =>
  sumOf(rules, ({ applies_to }) => applies_to === 'everything');

/** Whether any rule depends on folders or labels, so that the folders above an item must be read. */
export const needTree = (rules: readonly Rule[]): boolean =>
  rules.some(({ applies_to }) => applies_to === 'folder' || applies_to === 'label');
export const needClients = (rules: readonly Rule[]): boolean =>
  rules.some(({ applies_to }) => applies_to === 'client_type');

/** SQL: bit set of the rules on the row itself and on its labels. The ids are our own integers, safe to interpolate. */
export const onRow = (rules: readonly Rule[], row: string): string =>
  anyOf(
    rules.flatMap(({ applies_to, item_id, label_id }, index) => {
      if (applies_to === 'folder')
        return [`(CASE WHEN ${row}.id = ${Number(item_id)} THEN ${bit(index)} ELSE 0 END)`];
      if (applies_to !== 'label') return [];
      const labelled = `SELECT 1 FROM item_labels l WHERE l.item_id = ${row}.id AND l.label_id = ${Number(label_id)}`;
      return [`(CASE WHEN EXISTS (${labelled}) THEN ${bit(index)} ELSE 0 END)`];
    }),
  );

/** SQL: bit set of the rules for the type of a client. @param client SQL of the client's id. */
export function ofClient(rules: readonly Rule[], client: string): string {
  const types = rules.flatMap(({ applies_to, client_type }, index) =>
    applies_to === 'client_type'
      ? [`(CASE c.client_type WHEN ${quoted(client_type!)} THEN ${bit(index)} ELSE 0 END)`]
      : [],
  );
  return types.length === 0
    ? '0'
    : `coalesce((SELECT ${anyOf(types)} FROM clients c WHERE c.id = ${client} AND c.firm_id <> 0), 0)`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * SQL: the last day on which a file has to be kept by any of its rules; `NO_DAY` while a required day is missing.
 * @param bits SQL of the bit set; @param uploadDay SQL of the day of the upload; @param enteredDay SQL of the entered day.
 */
export const lastDayOf = (
  rules: readonly Rule[],
  bits: string,
  uploadDay: string,
  enteredDay: string,
): string =>
  latestOf([
    ...rules.map(
      (rule, index) =>
        `CASE WHEN (${bits} & ${bit(index)}) <> 0 THEN ${dayOf(rule, uploadDay, enteredDay)} ELSE '' END`,
    ),
    "''",
    "''",
  ]);

function dayOf({ months, counts_from }: Rule, uploadDay: string, enteredDay: string): string {
  const from = `coalesce(${enteredDay}, ${uploadDay})`;
  if (counts_from === 'said_day') return `coalesce(${monthsAfter(enteredDay, months)}, '${NO_DAY}')`;
  return monthsAfter(counts_from === 'year_end' ? yearEnd(from) : from, months);
}

/** SQL: the index of the first rule that keeps a file until the day `until`. */
export const longestOf = (
  rules: readonly Rule[],
  bits: string,
  uploadDay: string,
  enteredDay: string,
  until: string,
): string =>
  `CASE ${rules
    .map(
      (rule, index) =>
        `WHEN (${bits} & ${bit(index)}) <> 0 AND ${dayOf(rule, uploadDay, enteredDay)} = ${until} THEN ${index}`,
    )
    .join(' ')} END`;

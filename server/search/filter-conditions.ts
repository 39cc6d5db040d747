import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { TEXTS_NAMING } from '#server/db/document-text.ts';
import { matchingWhere } from '#server/db/item-search.ts';
import { BOUND_IDS, BOUND_TEXTS, bindList, queryRows } from '#server/db/sql.ts';
import { startOfDayInIndia } from '#server/text/day-in-india.ts';
import { fold } from '#server/text/fold.ts';
import type { TypedFilter } from '#server/text/search-filters.ts';
import { dayOf, readSearch, unclear } from '#server/text/search-filters.ts';
import { yearsInName } from '#server/text/written-years.ts';
import { yearOf } from '#server/text/years.ts';
import { andReadable } from '#server/visibility/readable.ts';
import { andVisible, andVisibleClient, isVisible } from '#server/visibility/visible.ts';
import type { FilterNote } from './contract.ts';
import { yearExpressions } from './grams.ts';
import { parseTypeFilter } from './types.ts';

/** An SQL condition on items (or a subquery of one) with its bindings. */
export interface SqlCondition {
  sql: string;
  bindings: Knex.RawBinding[];
}

/** The condition of one filter. `qualify` qualifies a column of the items in the query that embeds the condition. */
interface FilterCondition {
  condition: (qualify: (column: string) => string) => SqlCondition;
  /** Whether a database index answers the condition. */
  indexed: boolean;
}

/** A parsed search. */
export interface ParsedSearch {
  /** The text of the search without the filters. */
  text: string;
  conditions: FilterCondition[];
  /** Invalid filters; if there are any, the search has no results. */
  notes: FilterNote[];
  /** The only type of items that the filters leave; null for both. */
  only: 'file' | 'folder' | null;
}

/** Builds a query for the ids of the items recognised as one of these types or years; null stands for any value. */
type RecognisedItemsQuery = (
  actor: Actor,
  what: 'types' | 'years',
  values: readonly (string | number)[] | null,
) => Promise<SqlCondition>;

export interface SearchParserDependencies {
  db: Knex;
  /** The people of the firm who can own a file. */
  people: (actor: Actor) => Promise<{ value: number; label: string }[]>;
  recognised: RecognisedItemsQuery;
  /** Builds the expression of the full-text index for the texts that name a year. */
  yearInTexts: (actor: Actor, start: number) => Promise<string>;
}

const NO_FILTERS: Omit<ParsedSearch, 'text'> = { conditions: [], notes: [], only: null };
const NO_CLIENT = ['none', 'no-client'];

export function createSearchParser({ db, people, recognised, yearInTexts }: SearchParserDependencies) {
  /** Ids of the rows with exactly this name; without such a row, of those whose name contains all its words. */
  function idsByName(rows: readonly { id: number; name: string }[], value: string): number[] {
    const wanted = fold(value).trim();
    const exact = rows.filter(({ name }) => fold(name) === wanted);
    const words = wanted.split(/\s+/);
    const containing = rows.filter(({ name }) => words.every((word) => fold(name).includes(word)));
    return (exact.length > 0 ? exact : containing).map(({ id }) => id);
  }

  const clientsOf = (actor: Actor) =>
    queryRows<{ id: number; name: string }>(
      db,
      `SELECT id, name FROM clients WHERE firm_id = ?${andVisibleClient(actor)}`,
      [actor.firmId],
    );

  /** The condition that a column has one of the ids. */
  const columnIn =
    (column: string, ids: Iterable<number>): FilterCondition['condition'] =>
    (qualify) => ({ sql: `${qualify(column)} IN (${BOUND_IDS})`, bindings: [bindList(ids)] });

  async function resolveClients(actor: Actor, values: readonly string[]) {
    const rows = await clientsOf(actor);
    const each = values.map((value) =>
      NO_CLIENT.includes(value.toLowerCase()) ? [0] : idsByName(rows, value),
    );
    return { ids: each.flat(), unknown: values.filter((_, index) => each[index]!.length === 0) };
  }

  async function resolvePeople(actor: Actor, values: readonly string[]) {
    const rows = (await people(actor)).map(({ value, label }) => ({ id: value, name: label }));
    const each = values.map((value) => idsByName(rows, value));
    return { ids: each.flat(), unknown: values.filter((_, index) => each[index]!.length === 0) };
  }

  async function resolveTypes(actor: Actor, values: readonly string[]) {
    const each = values.map(parseTypeFilter);
    const unknown = values.filter((_, index) => !each[index]);
    const known = each.filter((typeFilter) => typeFilter !== null);
    const [types, files] = [
      known.flatMap((typeFilter) => typeFilter.types),
      known.flatMap((typeFilter) => typeFilter.files),
    ];
    const folders = known.some((typeFilter) => typeFilter.folders);
    const recognisedItems = types.length > 0 ? await recognised(actor, 'types', types) : null;
    const condition: FilterCondition['condition'] = (qualify) => {
      const parts: SqlCondition[] = [
        { sql: `${qualify('file_type')} IN (${BOUND_TEXTS})`, bindings: [bindList(files)] },
        ...(folders ? [{ sql: `${qualify('file_type')} IS NULL`, bindings: [] }] : []),
        ...(recognisedItems
          ? [{ sql: `${qualify('id')} IN (${recognisedItems.sql})`, bindings: recognisedItems.bindings }]
          : []),
      ];
      return anyOf(parts);
    };
    const only = !folders ? 'file' : types.length + files.length === 0 ? 'folder' : null;
    return { condition, unknown, only } as const;
  }

  /** The ids of the visible items with one of these years in an unclear name; see `yearExpressions`. */
  async function idsOfUnclearNames(
    actor: Actor,
    years: readonly number[],
    expressions: readonly string[],
  ): Promise<number[]> {
    const rows = await queryRows<{ id: number; name: string }>(
      db,
      `SELECT id, name FROM items WHERE id IN (${matchingWhere(isVisible(actor, 'i'))})`,
      [expressions.join(' OR ')],
    );
    const hasOne = (name: string): boolean => yearsInName(name).some(({ year }) => years.includes(year));
    return rows.filter(({ name }) => hasOne(name)).map(({ id }) => id);
  }

  /**
   * Matches items recognised as of these years, and items without a recognised year whose name, folder or text names one:
   * for a user who does not see everything, only the folders that the user sees above the item.
   */
  async function yearCondition(
    actor: Actor,
    years: readonly number[],
  ): Promise<FilterCondition['condition']> {
    const ofTheseYears = await recognised(actor, 'years', years);
    const ofAnyYear = await recognised(actor, 'years', null);
    const inTexts = await Promise.all(years.map((year) => yearInTexts(actor, year)));
    const inNames = years.map((year) => yearExpressions(actor.firmId, year));
    const checkedIds = await idsOfUnclearNames(
      actor,
      years,
      inNames.map(({ unclear }) => unclear),
    );
    return (qualify) => {
      const namesYear: SqlCondition = {
        sql: `${qualify('id')} IN (WITH RECURSIVE dated(id) AS (${matchingWhere(isVisible(actor, 'i'))}
          UNION SELECT i.id FROM items i WHERE i.id IN (${BOUND_IDS})
          UNION SELECT i.id FROM dated CROSS JOIN items i WHERE i.parent_id = dated.id${andVisible(actor, 'i')}) SELECT id FROM dated)`,
        bindings: [inNames.map(({ clear }) => clear).join(' OR '), bindList(checkedIds)],
      };
      const textNamesYear: SqlCondition = {
        sql: `${qualify('sha256')} IN (${TEXTS_NAMING}${andReadable(actor, 't.sha256')})`,
        bindings: [inTexts.map((expression) => `(${expression})`).join(' OR '), actor.firmId],
      };
      const mentionsYear = anyOf([namesYear, textNamesYear]);
      return {
        sql: `(${qualify('id')} IN (${ofTheseYears.sql}) OR (${mentionsYear.sql} AND ${qualify('id')} NOT IN (${ofAnyYear.sql})))`,
        bindings: [...ofTheseYears.bindings, ...mentionsYear.bindings, ...ofAnyYear.bindings],
      };
    };
  }

  /** Parses a search as typed and resolves its filters to conditions. */
  return async function parseSearch(actor: Actor, query: string): Promise<ParsedSearch> {
    const { text, filters } = readSearch(query);
    if (filters.length === 0) return { text: query, ...NO_FILTERS };
    const conditions: FilterCondition[] = [];
    const notes: FilterNote[] = [];
    let only: ParsedSearch['only'] = null;
    const valuesOf = (key: TypedFilter['key']): string[] =>
      filters.filter((filter) => filter.key === key && filter.value !== '').map(({ value }) => value);
    const addNotes = (key: TypedFilter['key'], values: readonly string[]) =>
      notes.push(...values.map((value) => ({ key, value })));
    for (const filter of filters) if (unclear(filter)) addNotes(filter.key, [filter.value]);

    const clients = valuesOf('client');
    if (clients.length > 0) {
      const { ids, unknown } = await resolveClients(actor, clients);
      addNotes('client', unknown);
      conditions.push({ condition: columnIn('scope_client_id', ids), indexed: true });
    }
    const people = valuesOf('from').filter((value) => dayOf(value) === null);
    if (people.length > 0) {
      const { ids, unknown } = await resolvePeople(actor, people);
      addNotes('from', unknown);
      conditions.push({ condition: columnIn('owner_id', ids), indexed: true });
    }
    const types = valuesOf('type');
    if (types.length > 0) {
      const { condition, unknown, only: left } = await resolveTypes(actor, types);
      addNotes('type', unknown);
      only = left;
      conditions.push({ condition, indexed: false });
    }
    const years = valuesOf('fy').flatMap((value) => yearOf(value) ?? []);
    if (years.length > 0) conditions.push({ condition: await yearCondition(actor, years), indexed: false });
    const days = (key: 'before' | 'after' | 'from') => valuesOf(key).flatMap((value) => dayOf(value) ?? []);
    const since = [...days('after'), ...days('from')].toSorted().at(-1);
    const until = days('before').toSorted()[0];
    if (since) conditions.push(dateCondition('>=', since));
    if (until) conditions.push(dateCondition('<', until));
    return { text, conditions, notes, only };
  };
}

const dateCondition = (operator: '>=' | '<', day: string): FilterCondition => ({
  condition: (qualify) => ({
    sql: `${qualify('modified_at')} ${operator} ?`,
    bindings: [startOfDayInIndia(day)],
  }),
  indexed: false,
});

const anyOf = (parts: readonly SqlCondition[]): SqlCondition => ({
  sql: `(${parts.map(({ sql }) => sql).join(' OR ')})`,
  bindings: parts.flatMap(({ bindings }) => bindings),
});

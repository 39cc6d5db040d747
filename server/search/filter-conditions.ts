import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { TEXTS_NAMING } from '#server/db/document-text.ts';
import { MATCHING } from '#server/db/full-text.ts';
import { EACH, EACH_TEXT, list, queryRows } from '#server/db/sql.ts';
import { startOfDayInIndia } from '#server/text/day-in-india.ts';
import { fold } from '#server/text/fold.ts';
import type { TypedFilter } from '#server/text/search-filters.ts';
import { dayOf, readSearch, unclear } from '#server/text/search-filters.ts';
import { yearOf } from '#server/text/years.ts';
import { andVisibleClient } from '#server/visibility/visible.ts';
import type { FilterNote } from './contract.ts';
import { yearQuestion } from './grams.ts';
import { typesNamed } from './types.ts';

/** An SQL condition on items (or a subquery of one) with its bindings. */
export interface Bound {
  sql: string;
  bindings: Knex.RawBinding[];
}

/** The condition of one filter. `of` qualifies a column of the items in the query that embeds the condition. */
export interface Asked {
  condition: (of: (column: string) => string) => Bound;
  /** Whether an index serves the condition. */
  leads: boolean;
}

/** A parsed search. */
export interface Narrowing {
  /** The text of the search without the filters. */
  text: string;
  asked: Asked[];
  /** Invalid filters; if there are any, the search has no results. */
  notes: FilterNote[];
  /** Whether the filters exclude folders. */
  filesOnly: boolean;
}

/** Builds a query for the ids of the items recognised as one of these types or years; null stands for any value. */
export type Recognised = (
  firmId: number,
  what: 'types' | 'years',
  values: readonly (string | number)[] | null,
) => Promise<Bound>;

export interface NarrowingParts {
  db: Knex;
  /** The people of the firm who can own a file. */
  people: (actor: Actor) => Promise<{ value: number; label: string }[]>;
  recognised: Recognised;
  /** Builds the expression of the full-text index for the texts that name a year. */
  yearInTexts: (actor: Actor, start: number) => Promise<string>;
}

const NOTHING_MORE: Omit<Narrowing, 'text'> = { asked: [], notes: [], filesOnly: false };
const NOBODYS = ['none', 'no-client'];

export function createNarrowing({ db, people, recognised, yearInTexts }: NarrowingParts) {
  /** Ids of the rows with exactly this name; without such a row, of those whose name contains all its words. */
  function named(rows: readonly { id: number; name: string }[], value: string): number[] {
    const wanted = fold(value).trim();
    const exact = rows.filter(({ name }) => fold(name) === wanted);
    const words = wanted.split(/\s+/);
    const like = rows.filter(({ name }) => words.every((word) => fold(name).includes(word)));
    return (exact.length > 0 ? exact : like).map(({ id }) => id);
  }

  const clientsOf = (actor: Actor) =>
    queryRows<{ id: number; name: string }>(
      db,
      `SELECT id, name FROM clients WHERE firm_id = ?${andVisibleClient(actor)}`,
      [actor.firmId],
    );

  /** The condition that a column has one of the ids. */
  const among =
    (column: string, ids: Iterable<number>): Asked['condition'] =>
    (of) => ({ sql: `${of(column)} IN (${EACH})`, bindings: [list(ids)] });

  async function ofClients(actor: Actor, values: readonly string[]) {
    const rows = await clientsOf(actor);
    const each = values.map((value) => (NOBODYS.includes(value.toLowerCase()) ? [0] : named(rows, value)));
    return { ids: each.flat(), unknown: values.filter((_, at) => each[at]!.length === 0) };
  }

  async function byPeople(actor: Actor, values: readonly string[]) {
    const rows = (await people(actor)).map(({ value, label }) => ({ id: value, name: label }));
    const each = values.map((value) => named(rows, value));
    return { ids: each.flat(), unknown: values.filter((_, at) => each[at]!.length === 0) };
  }

  async function ofTypes(actor: Actor, values: readonly string[]) {
    const each = values.map(typesNamed);
    const unknown = values.filter((_, at) => !each[at]);
    const known = each.filter((one) => one !== null);
    const [types, files] = [known.flatMap((one) => one.types), known.flatMap((one) => one.files)];
    const folders = known.some((one) => one.folders);
    const found = types.length > 0 ? await recognised(actor.firmId, 'types', types) : null;
    const condition: Asked['condition'] = (of) => {
      const parts: Bound[] = [
        { sql: `${of('file_type')} IN (${EACH_TEXT})`, bindings: [list(files)] },
        ...(folders ? [{ sql: `${of('file_type')} IS NULL`, bindings: [] }] : []),
        ...(found ? [{ sql: `${of('id')} IN (${found.sql})`, bindings: found.bindings }] : []),
      ];
      return either(parts);
    };
    return { condition, unknown, filesOnly: !folders };
  }

  /** Matches items recognised as of these years, and items without a recognised year whose name, folder or text names one. */
  async function ofYears(actor: Actor, years: readonly number[]): Promise<Asked['condition']> {
    const known = await recognised(actor.firmId, 'years', years);
    const ofAnyYear = await recognised(actor.firmId, 'years', null);
    const inTexts = await Promise.all(years.map((year) => yearInTexts(actor, year)));
    const inNames = years.map((year) => yearQuestion(actor.firmId, year)).join(' OR ');
    return (of) => {
      const named: Bound = {
        sql: `${of('id')} IN (WITH RECURSIVE dated(id) AS (${MATCHING}
          UNION SELECT i.id FROM dated CROSS JOIN items i WHERE i.parent_id = dated.id) SELECT id FROM dated)`,
        bindings: [inNames],
      };
      const said: Bound = {
        sql: `${of('sha256')} IN (${TEXTS_NAMING})`,
        bindings: [inTexts.map((one) => `(${one})`).join(' OR '), actor.firmId],
      };
      const guessed = either([named, said]);
      return {
        sql: `(${of('id')} IN (${known.sql}) OR (${guessed.sql} AND ${of('id')} NOT IN (${ofAnyYear.sql})))`,
        bindings: [...known.bindings, ...guessed.bindings, ...ofAnyYear.bindings],
      };
    };
  }

  /** Parses a search as typed and resolves its filters to conditions. */
  return async function narrowingOf(actor: Actor, query: string): Promise<Narrowing> {
    const { text, filters } = readSearch(query);
    if (filters.length === 0) return { text: query, ...NOTHING_MORE };
    const asked: Asked[] = [];
    const notes: FilterNote[] = [];
    let filesOnly = false;
    const given = (key: TypedFilter['key']): string[] =>
      filters.filter((one) => one.key === key && one.value !== '').map(({ value }) => value);
    const tell = (key: TypedFilter['key'], values: readonly string[]) =>
      notes.push(...values.map((value) => ({ key, value })));
    for (const one of filters) if (unclear(one)) tell(one.key, [one.value]);

    const clients = given('client');
    if (clients.length > 0) {
      const { ids, unknown } = await ofClients(actor, clients);
      tell('client', unknown);
      asked.push({ condition: among('scope_client_id', ids), leads: true });
    }
    const people = given('from').filter((value) => dayOf(value) === null);
    if (people.length > 0) {
      const { ids, unknown } = await byPeople(actor, people);
      tell('from', unknown);
      asked.push({ condition: among('owner_id', ids), leads: true });
    }
    const types = given('type');
    if (types.length > 0) {
      const { condition, unknown, ...rest } = await ofTypes(actor, types);
      tell('type', unknown);
      filesOnly ||= rest.filesOnly;
      asked.push({ condition, leads: false });
    }
    const years = given('fy').flatMap((value) => yearOf(value) ?? []);
    if (years.length > 0) asked.push({ condition: await ofYears(actor, years), leads: false });
    const days = (key: 'before' | 'after' | 'from') => given(key).flatMap((value) => dayOf(value) ?? []);
    const since = [...days('after'), ...days('from')].toSorted().at(-1);
    const until = days('before').toSorted()[0];
    if (since) asked.push(dated('>=', since));
    if (until) asked.push(dated('<', until));
    return { text, asked, notes, filesOnly };
  };
}

const dated = (sign: '>=' | '<', day: string): Asked => ({
  condition: (of) => ({ sql: `${of('modified_at')} ${sign} ?`, bindings: [startOfDayInIndia(day)] }),
  leads: false,
});

const either = (parts: readonly Bound[]): Bound => ({
  sql: `(${parts.map(({ sql }) => sql).join(' OR ')})`,
  bindings: parts.flatMap(({ bindings }) => bindings),
});

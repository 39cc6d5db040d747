import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { decodeCursor, encodeCursor, text, whole } from '#server/http/cursor.ts';
import { fold } from '#server/text/fold.ts';
import { plainWord } from '#server/text/plain-name.ts';
import type { ClientPage, ClientQuery, ClientSort, ClientView } from './contract.ts';
import type { Client } from './model.ts';
import { toView } from './model.ts';
import { totals } from './totals.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import { FOLDED_GROUP, PLAIN_NAME } from '#server/db/client-names.ts';
import { BOUND_TEXTS, bindList, expression, positionOf } from '#server/db/sql.ts';

/** The sort expression of each order; the name breaks ties. Null sorts by name alone. */
const ORDER: Record<ClientSort, string | null> = {
  name: null,
  city: `lower(coalesce(city, ''))`,
  added: 'created_at',
  changed: 'updated_at',
};

/** The firm's clients, without `limit` all of them. @throws {AppError} 422 for a cursor of another list. */
export async function listClients(db: Knex, actor: Actor, query: ClientQuery): Promise<ClientPage> {
  const { sort = 'name', direction = 'asc', limit } = query;
  const by = ORDER[sort];
  const rows = only(db('clients').where('firm_id', actor.firmId), isVisibleClient(actor));
  if (query.client_type) rows.where('client_type', query.client_type);
  if (query.status) rows.where('status', query.status);
  const wanted = searchWords(query.search ?? '');
  filterByWords(rows, wanted, wanted.length > 0 ? await citiesOf(db, actor) : []);
  if (query.cursor !== undefined) {
    const [, , value, sortKey, id] = decodeCursor(query.cursor, [sort, direction, text, text, whole]);
    const beyond = direction === 'asc' ? '>' : '<';
    if (by) rows.whereRaw(`(${by}, sort_key, id) ${beyond} (?, ?, ?)`, [value, sortKey, id]);
    else rows.whereRaw(`(sort_key, id) ${beyond} (?, ?)`, [sortKey, id]);
  }
  rows.orderByRaw(
    [by, 'sort_key', 'id']
      .filter(Boolean)
      .map((column) => `${column} ${direction}`)
      .join(', '),
  );
  if (limit !== undefined) rows.limit(limit + 1);
  const page = rows.select('id', 'sort_key', expression(db, `${by ?? `''`} AS value`));
  // The index alone yields the page; only the rows of the page are then read completely.
  const found: (ClientView & Pick<Client, 'sort_key'> & { value: string })[] = await db
    .with('page', page)
    .from('page')
    .join('clients as c', 'c.id', 'page.id')
    .orderByRaw(`page.value ${direction}, page.sort_key ${direction}, page.id ${direction}`)
    .select('c.*', 'page.value');

  const shown = found.slice(0, limit);
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  return {
    data: shown.map(toView),
    next_cursor: last ? encodeCursor([sort, direction, last.value, last.sort_key, last.id]) : null,
    totals: await totals(db, actor),
  };
}

/** All cities of the firm's clients: not in the search text, since a search elsewhere is for a client, not for all of a place. */
const citiesOf = (db: Knex, { firmId: firm_id }: Actor): Promise<string[]> =>
  db('clients').where({ firm_id }).whereNotNull('city').distinct('city').pluck('city');

/** A shorter word among others is in e-mail addresses, phone numbers and PANs by accident, as "11" of "Client 11" is. */
const MIN_OUTSIDE_NAME = 4;
const DIGITS_OF_NUMBER = /\d{4}/;

/**
 * Keeps clients that contain every word, a short one in the name or the group, or else the number that
 * was typed with spaces. Both sides are folded, so a byte comparison is enough and avoids LIKE.
 * @param cities that a word may be in as well.
 */
export function filterByWords(
  rows: Knex.QueryBuilder,
  wanted: readonly string[],
  cities: readonly string[] = [],
): void {
  if (wanted.length === 0) return;
  const isAlone = wanted.length === 1;
  const conditions = wanted.map((word) => {
    const places = bindList(cities.filter((city) => fold(city).includes(word)));
    const inCity = `city IN (${BOUND_TEXTS})`;
    const isAnywhere = isAlone || word.length >= MIN_OUTSIDE_NAME;
    const elsewhere = positionOf('?', isAnywhere ? 'search_text' : FOLDED_GROUP);
    return {
      sql: `(${elsewhere} > 0 OR ${positionOf('?', PLAIN_NAME)} > 0 OR ${inCity})`,
      bindings: [word, plainWord(word), places],
    };
  });
  const number = wanted.join('');
  const isNumber = !isAlone && DIGITS_OF_NUMBER.test(number);
  rows.where((either) => {
    for (const { sql, bindings } of conditions) either.whereRaw(sql, bindings);
    if (isNumber) either.orWhereRaw(`${positionOf('?', 'search_text')} > 0`, [number]);
  });
}

export const searchWords = (search: string): string[] =>
  fold(search.toWellFormed().replace(/\p{Cc}/gu, ' '))
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 10);

/** The text that the client search covers, folded. */
export function searchText(
  client: Pick<Client, 'name' | 'email' | 'phone' | 'pan' | 'gstin' | 'tan' | 'cin' | 'group_name'>,
): string {
  const { name, email, phone, pan, gstin, tan, cin, group_name } = client;
  const digits = phone?.replace(/\D/g, '');
  return fold(
    [name, email, phone, digits === phone ? null : digits, pan, gstin, tan, cin, group_name]
      .filter(Boolean)
      .join('\n'),
  );
}

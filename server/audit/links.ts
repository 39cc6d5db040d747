import type { Knex } from 'knex';
import { BOUND_IDS, boundTupleRows, execute, bindList, numberOf, queryRows, textOf } from '#server/db/sql.ts';
import type { AuditEntry } from './contract.ts';
import type { Detail, ParsedEntry } from './names.ts';
import { clientsIn, itemsIn } from './names.ts';

/** The items, clients and folders that an entry is about. Client 0 stands for items without a client. */
export interface Links {
  items: readonly number[];
  clients: readonly number[];
  /** The folders of the items. */
  folders: readonly number[];
}
export const NO_CLIENT = 0;

interface ItemPlace {
  id: number;
  /** The client of the item or of the nearest folder above that has one; `NO_CLIENT` for none. */
  client: number;
  folder: number | null;
}

const placesOf = (db: Knex, ids: readonly number[]): Promise<ItemPlace[]> =>
  queryRows(
    db,
    `SELECT id, scope_client_id AS client, parent_id AS folder FROM item_rows WHERE id IN (${BOUND_IDS})`,
    [bindList(ids)],
  );

/** The client of each of these items. */
export const clientsOfItems = async (db: Knex, ids: readonly number[]): Promise<Map<number, number>> =>
  new Map((await placesOf(db, ids)).map(({ id, client }) => [id, client]));

const unique = <T>(all: Iterable<T>): T[] => [...new Set(all)];

const withoutNull = (ids: Iterable<number | null>): number[] => [...ids].filter((id) => id !== null);

/** The links of a new entry; clients and folders that it does not store are those of its items now. */
export async function linksOf(db: Knex, entry: AuditEntry): Promise<Links> {
  const parsed: ParsedEntry = { did: entry.did, subject: entry.subject ?? null, detail: entry.detail ?? {} };
  const { concerns } = entry;
  const items = unique(concerns?.items ?? itemsIn(parsed));
  const givenClients = concerns?.clients?.map((id) => id ?? NO_CLIENT);
  const needsPlaces = items.length > 0 && !(givenClients && concerns?.parents);
  const places = needsPlaces ? await placesOf(db, items) : [];
  const clients = givenClients ?? [
    ...clientsIn(parsed).map((id) => id ?? NO_CLIENT),
    ...places.map(({ client }) => client),
  ];
  const folders = concerns?.parents ?? places.map(({ folder }) => folder);
  return { items, clients: unique(clients), folders: unique(withoutNull(folders)) };
}

async function write(
  trx: Knex.Transaction,
  rows: readonly (readonly [number, string, number])[],
): Promise<void> {
  if (rows.length === 0) return;
  const [event, ref] = [0, 2].map((index) => numberOf('one.value', index));
  const kind = textOf('one.value', 1);
  await execute(
    trx,
    `INSERT INTO audit_links (event_id, kind, ref) SELECT ${event}, ${kind}, ${ref} FROM ${boundTupleRows('one')}
     WHERE true ON CONFLICT DO NOTHING`,
    [bindList(rows)],
  );
}

const rowsOf = (event: number, { items, clients, folders }: Links) => [
  ...items.map((id) => [event, 'item', id] as const),
  ...clients.map((id) => [event, 'client', id] as const),
  ...folders.map((id) => [event, 'folder', id] as const),
];

export const storeLinks = (
  trx: Knex.Transaction,
  entries: readonly { event: number; links: Links }[],
): Promise<void> =>
  write(
    trx,
    entries.flatMap(({ event, links }) => rowsOf(event, links)),
  );

/** Adds links to entries of versions without links, from the present places of their items; deleted items have none. */
export async function linkOlderEntries(
  trx: Knex.Transaction,
  rows: readonly { id: number; did: string; subject: string | null; detail: string }[],
): Promise<void> {
  const entries = rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as Detail }));
  const places = await placesOf(trx, unique(entries.flatMap(itemsIn)));
  const placeById = new Map(places.map((place) => [place.id, place]));
  const links = entries.flatMap((entry) => {
    const items = unique(itemsIn(entry));
    const itemPlaces = items.flatMap((id) => placeById.get(id) ?? []);
    const storedClients = clientsIn(entry).map((id) => id ?? NO_CLIENT);
    const clients = unique([...storedClients, ...itemPlaces.map(({ client }) => client)]);
    const folders = unique(withoutNull(itemPlaces.map(({ folder }) => folder)));
    return rowsOf(entry.id, { items, clients, folders });
  });
  await write(trx, links);
}

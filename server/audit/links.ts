import type { Knex } from 'knex';
import { EACH, eachParts, execute, list, numberOf, queryRows, textOf } from '#server/db/sql.ts';
import type { AuditEntry } from './contract.ts';
import type { Detail } from './names.ts';
import { clientsIn, itemsIn } from './names.ts';

/** What an event is about. Client 0 stands for what is tied to none. */
export interface Links {
  items: readonly number[];
  clients: readonly number[];
  /** In which folders it happened. */
  folders: readonly number[];
}
export const NO_CLIENT = 0;

interface Said {
  did: string;
  subject: string | null;
  detail: Detail;
}

interface Placed {
  id: number;
  /** To whom it belongs, as the database keeps it: to the nearest client above it, or to none. */
  client: number;
  folder: number | null;
}

const placed = (db: Knex, ids: readonly number[]): Promise<Placed[]> =>
  queryRows(
    db,
    `SELECT id, scope_client_id AS client, parent_id AS folder FROM item_rows WHERE id IN (${EACH})`,
    [list(ids)],
  );

/** For each of these items the client to whom it belongs. */
export const clientsOfItems = async (db: Knex, ids: readonly number[]): Promise<Map<number, number>> =>
  new Map((await placed(db, ids)).map(({ id, client }) => [id, client]));

const unique = <T>(all: Iterable<T>): T[] => [...new Set(all)];

const known = (ids: Iterable<number | null>): number[] => [...ids].filter((id) => id !== null);

/** What an entry is about; clients and folders that it does not name are those of its items now. */
export async function linksOf(db: Knex, entry: AuditEntry): Promise<Links> {
  const said: Said = { did: entry.did, subject: entry.subject ?? null, detail: entry.detail ?? {} };
  const { concerns } = entry;
  const items = unique(concerns?.items ?? itemsIn(said));
  const named = concerns?.clients?.map((id) => id ?? NO_CLIENT);
  const asked = items.length > 0 && !(named && concerns?.parents);
  const now = asked ? await placed(db, items) : [];
  const clients = named ?? [
    ...clientsIn(said).map((id) => id ?? NO_CLIENT),
    ...now.map(({ client }) => client),
  ];
  const folders = concerns?.parents ?? now.map(({ folder }) => folder);
  return { items, clients: unique(clients), folders: unique(known(folders)) };
}

async function write(
  trx: Knex.Transaction,
  rows: readonly (readonly [number, string, number])[],
): Promise<void> {
  if (rows.length === 0) return;
  const [event, ref] = [0, 2].map((at) => numberOf('one.value', at));
  const kind = textOf('one.value', 1);
  await execute(
    trx,
    `INSERT INTO audit_links (event_id, kind, ref) SELECT ${event}, ${kind}, ${ref} FROM ${eachParts('one')}
     WHERE true ON CONFLICT DO NOTHING`,
    [list(rows)],
  );
}

const rowsOf = (event: number, { items, clients, folders }: Links) => [
  ...items.map((id) => [event, 'item', id] as const),
  ...clients.map((id) => [event, 'client', id] as const),
  ...folders.map((id) => [event, 'folder', id] as const),
];

export const keepLinks = (trx: Knex.Transaction, event: number, links: Links): Promise<void> =>
  write(trx, rowsOf(event, links));

/** For rows from before links were kept: what can still be known. Of what is gone, only that it was about it. */
export async function linkOlder(
  trx: Knex.Transaction,
  rows: readonly { id: number; did: string; subject: string | null; detail: string }[],
): Promise<void> {
  const said = rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as Detail }));
  const places = await placed(trx, unique(said.flatMap(itemsIn)));
  const byId = new Map(places.map((one) => [one.id, one]));
  const all = said.flatMap((row) => {
    const items = unique(itemsIn(row));
    const now = items.flatMap((id) => byId.get(id) ?? []);
    const named = clientsIn(row).map((id) => id ?? NO_CLIENT);
    const clients = unique([...named, ...now.map(({ client }) => client)]);
    return rowsOf(row.id, { items, clients, folders: unique(known(now.map(({ folder }) => folder))) });
  });
  await write(trx, all);
}

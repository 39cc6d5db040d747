import type { Knex } from 'knex';
import { EACH, eachRow, execute, list, partOf, queryRows } from '#server/db/sql.ts';
import type { AuditEntry } from './contract.ts';
import type { Detail } from './names.ts';
import { clientsIn, itemsIn } from './names.ts';

/** What an event is about. Client 0 stands for what is tied to none. */
export interface Links {
  items: readonly number[];
  clients: readonly number[];
}
export const NO_CLIENT = 0;

interface Said {
  did: string;
  subject: string | null;
  detail: Detail;
}

/** For each of these items the client to whom it belongs, as the database keeps it: the nearest above it, or none. */
export async function clientsOfItems(db: Knex, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await queryRows<{ id: number; client: number }>(
    db,
    `SELECT id, scope_client_id AS client FROM item_rows WHERE id IN (${EACH})`,
    [list(ids)],
  );
  return new Map(rows.map(({ id, client }) => [id, client]));
}

const unique = <T>(all: Iterable<T>): T[] => [...new Set(all)];

/** What an entry is about; clients that it does not name are those of its items now. */
export async function linksOf(db: Knex, entry: AuditEntry): Promise<Links> {
  const said: Said = { did: entry.did, subject: entry.subject ?? null, detail: entry.detail ?? {} };
  const items = unique(entry.concerns?.items ?? itemsIn(said));
  const named = entry.concerns?.clients?.map((id) => id ?? NO_CLIENT);
  if (named) return { items, clients: unique(named) };
  const clients = unique([
    ...clientsIn(said).map((id) => id ?? NO_CLIENT),
    ...(items.length > 0 ? (await clientsOfItems(db, items)).values() : []),
  ]);
  return { items, clients };
}

async function write(
  trx: Knex.Transaction,
  rows: readonly (readonly [number, string, number])[],
): Promise<void> {
  if (rows.length === 0) return;
  const [event, kind, ref] = [0, 1, 2].map((at) => partOf('one.value', at));
  await execute(
    trx,
    `INSERT INTO audit_links (event_id, kind, ref) SELECT ${event}, ${kind}, ${ref} FROM ${eachRow('one')}
     WHERE true ON CONFLICT DO NOTHING`,
    [list(rows)],
  );
}

const rowsOf = (event: number, { items, clients }: Links) => [
  ...items.map((id) => [event, 'item', id] as const),
  ...clients.map((id) => [event, 'client', id] as const),
];

export const keepLinks = (trx: Knex.Transaction, event: number, links: Links): Promise<void> =>
  write(trx, rowsOf(event, links));

/** For rows from before links were kept: what can still be known. Of what is gone, only that it was about it. */
export async function linkOlder(
  trx: Knex.Transaction,
  rows: readonly { id: number; did: string; subject: string | null; detail: string }[],
): Promise<void> {
  const said = rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as Detail }));
  const owners = await clientsOfItems(trx, unique(said.flatMap(itemsIn)));
  const all = said.flatMap((row) => {
    const items = unique(itemsIn(row));
    const named = clientsIn(row).map((id) => id ?? NO_CLIENT);
    const clients = unique([...named, ...items.flatMap((id) => owners.get(id) ?? [])]);
    return rowsOf(row.id, { items, clients });
  });
  await write(trx, all);
}

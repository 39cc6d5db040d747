import type { Knex } from 'knex';
import { EACH, checkOnly, list, queryRows } from '#server/db/sql.ts';
import { placeName } from '#server/http/place-name.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import {
  andVisible,
  isVisible,
  isVisibleClient,
  only,
  seesAll,
  visibleParent,
} from '#server/visibility/visible.ts';
import type { AuditFilters, AuditPage, AuditQuery, AuditView } from './contract.ts';
import { auditWords } from './contract.ts';
import { findEntries } from './find.ts';
import { NO_CLIENT } from './links.ts';
import type { Detail, Names } from './names.ts';
import { learn, noNames } from './names.ts';
import { concerning, withoutUnseen } from './subjects.ts';

interface Row {
  id: number;
  user_id: number | null;
  did: string;
  subject: string | null;
  detail: string;
  ip: string | null;
  at: string;
}

const COLUMNS = ['id', 'user_id', 'did', 'subject', 'detail', 'ip', 'at'];

export interface Known extends Names {
  users: Map<number, string>;
}

export async function knownTo(db: Knex, { firmId }: FirmViewer): Promise<Known> {
  const rows: { id: number; name: string }[] = await db('users')
    .where({ firm_id: firmId })
    .select('id', 'name');
  return { ...noNames(), users: new Map(rows.map(({ id, name }) => [id, name])) };
}

export async function page(
  db: Knex,
  actor: FirmViewer,
  { limit = 50, ...query }: AuditQuery,
): Promise<AuditPage> {
  const known = await knownTo(db, actor);
  const ids = await findEntries(db, actor, { ...query, limit: limit + 1 });
  const data = await views(db, actor, ids.slice(0, limit), known);
  const next = ids.length > limit ? (ids[limit - 1] ?? null) : null;
  return { data, next, names: await namesOf(db, actor, query) };
}

/** Of the single item, or client, that an entry is about. */
interface Single {
  event_id: number;
  kind: 'item' | 'client';
  ref: number;
}

const singles = (db: Knex, ids: readonly number[]): Promise<Single[]> =>
  queryRows(
    db,
    `SELECT event_id, kind, min(ref) AS ref FROM audit_links
     WHERE event_id IN (${EACH}) AND ${checkOnly('kind')} IN ('item', 'client') GROUP BY event_id, kind HAVING count(*) = 1`,
    [list(ids)],
  );

const itemsThere = (
  db: Knex,
  actor: FirmViewer,
  ids: readonly number[],
): Promise<NonNullable<AuditView['item']>[]> =>
  queryRows(
    db,
    `SELECT id, ${visibleParent(actor)} AS parent_id, type FROM items
     WHERE id IN (${EACH}) AND ${checkOnly('firm_id')} = ?${andVisible(actor)}`,
    [list(ids), actor.firmId],
  );

/** By what people come who are no users of the firm; a `door` names its kind and its id, as `request:12`. */
const DOORS: Record<string, string> = { request: 'request', portal: "client's page" };

function byLink(recipient: string, door: unknown): string {
  const by = typeof door !== 'string' ? 'shared link' : (DOORS[door.split(':')[0]!] ?? 'drop link');
  return `${recipient} (${by})`;
}

/** These entries, which the actor sees, in the order of the ids. */
export async function views(
  db: Knex,
  actor: FirmViewer,
  ids: readonly number[],
  known: Known,
): Promise<AuditView[]> {
  const rows: Row[] = await db('audit_events')
    .whereRaw(`id IN (${EACH})`, [list(ids)])
    .select(COLUMNS);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const about = await singles(db, ids);
  const of = (kind: Single['kind']) =>
    new Map(about.flatMap((one) => (one.kind === kind ? [[one.event_id, one.ref] as const] : [])));
  const [items, clients] = [of('item'), of('client')];
  const there = new Map((await itemsThere(db, actor, [...items.values()])).map((one) => [one.id, one]));
  const noted = ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const said = { ...row, detail: JSON.parse(row.detail) as Detail };
    return seesAll(actor) ? said : withoutUnseen(said);
  });
  await learn(db, actor, noted, known, [...clients.values()]);
  return noted.map(({ user_id, ...row }) => {
    // A preview is served by the same link as a download, and noted as one.
    const viewed = row.did === 'document.download' && row.detail['inline'] === true;
    const client = clients.get(row.id) ?? NO_CLIENT;
    const name = known.clients.get(client);
    const { browser, recipient, door } = row.detail;
    return {
      ...row,
      what: viewed ? 'Viewed' : auditWords(row.did),
      who:
        user_id === null
          ? typeof recipient === 'string'
            ? byLink(recipient, door)
            : null
          : (known.users.get(user_id) ?? null),
      about: concerning(row, known),
      place: row.ip === null ? null : placeName(row.ip),
      browser: typeof browser === 'string' ? browser : null,
      item: there.get(items.get(row.id) ?? 0) ?? null,
      client: name ? { id: client, name } : null,
    };
  });
}

/** What the filters are called: nothing that the actor does not see has a name. */
async function namesOf(
  db: Knex,
  actor: FirmViewer,
  { person, client, item }: AuditFilters,
): Promise<AuditPage['names']> {
  const { firmId: firm_id } = actor;
  const name = async (table: 'users' | 'clients' | 'items', id: number, seen: string) => {
    const row: { name: string } | undefined = await only(db(table).where({ firm_id, id }), seen).first(
      'name',
    );
    return row?.name ?? null;
  };
  // A colleague has a name for those who see anything that the colleague did.
  const met = async (id: number) =>
    seesAll(actor) || (await findEntries(db, actor, { person: id, limit: 1 })).length > 0;
  return {
    ...(person !== undefined && { person: (await met(person)) ? await name('users', person, '') : null }),
    ...(client !== undefined && { client: await name('clients', client, isVisibleClient(actor)) }),
    ...(item !== undefined && { item: await name('items', item, isVisible(actor)) }),
  };
}

/** `Ravi Kumar, Sharma Traders, deleted, from 2026-04-01`; '' for none. */
export async function filtersInWords(db: Knex, actor: FirmViewer, filters: AuditFilters): Promise<string> {
  const { kind, from, to } = filters;
  const named = Object.values(await namesOf(db, actor, filters)).map((name) => name ?? 'what is deleted');
  const words = [...named, kind?.replace('_', ' '), from && `from ${from}`, to && `to ${to}`];
  return words.filter(Boolean).join(', ');
}

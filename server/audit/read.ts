import type { Knex } from 'knex';
import { BOUND_IDS, checkOnly, bindList, queryRows } from '#server/db/sql.ts';
import { networkName } from '#server/http/network-name.ts';
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
import { loadNames, noNames } from './names.ts';
import { describeSubject, withoutRestrictedDetails } from './subjects.ts';

interface Row {
  id: number;
  user_id: number | null;
  did: string;
  subject: string | null;
  detail: string;
  ip: string | null;
  at: string;
}

/** What anybody can do to an account who knows its address: the stored user is the one concerned, not who did it. */
const NOT_SIGNED_IN: ReadonlySet<string> = new Set(['auth.reset_asked', 'auth.sign_in_refused']);

const COLUMNS = ['id', 'user_id', 'did', 'subject', 'detail', 'ip', 'at'];

/** The names for views of entries; those of items and clients are loaded as entries need them. */
export interface LoadedNames extends Names {
  users: Map<number, string>;
}

export async function loadUserNames(db: Knex, { firmId }: FirmViewer): Promise<LoadedNames> {
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
  const names = await loadUserNames(db, actor);
  const ids = await findEntries(db, actor, { ...query, limit: limit + 1 });
  const data = await views(db, actor, ids.slice(0, limit), names);
  const next = ids.length > limit ? (ids[limit - 1] ?? null) : null;
  return { data, next, names: await namesOf(db, actor, query) };
}

/** The item, or client, of an entry that is about only one. */
interface SingleLink {
  event_id: number;
  kind: 'item' | 'client';
  ref: number;
}

const singleLinks = (db: Knex, ids: readonly number[]): Promise<SingleLink[]> =>
  queryRows(
    db,
    `SELECT event_id, kind, min(ref) AS ref FROM audit_links
     WHERE event_id IN (${BOUND_IDS}) AND ${checkOnly('kind')} IN ('item', 'client') GROUP BY event_id, kind HAVING count(*) = 1`,
    [bindList(ids)],
  );

const existingItems = (
  db: Knex,
  actor: FirmViewer,
  ids: readonly number[],
): Promise<NonNullable<AuditView['item']>[]> =>
  queryRows(
    db,
    `SELECT id, ${visibleParent(actor)} AS parent_id, type FROM items
     WHERE id IN (${BOUND_IDS}) AND ${checkOnly('firm_id')} = ?${andVisible(actor)}`,
    [bindList(ids), actor.firmId],
  );

/** The kinds of links through which people without an account act; a `door` is the kind and the id, as `request:12`. */
const DOORS: Record<string, string> = { request: 'request', portal: "client's page" };

/** Without the place, which the name of a visitor without an address ends with, and which the entry shows beside it. */
function byLink(recipient: string, door: unknown, place: string | null): string {
  const linkKind = typeof door !== 'string' ? 'shared link' : (DOORS[door.split(':')[0]!] ?? 'drop link');
  const suffix = `, ${place}`;
  const name = recipient.endsWith(suffix) ? recipient.slice(0, -suffix.length) : recipient;
  return `${name} (${linkKind})`;
}

/** What was done, in words, where the detail says more than the event. */
function wordsOf({ did, detail }: { did: string; detail: Detail }): string {
  // Previews use the URL of downloads and are stored as downloads.
  if (did === 'document.download' && detail['inline'] === true) return 'Viewed';
  if (did === 'document.client' && detail['to'] === null) return 'Unlinked from a client';
  return auditWords(did);
}

/** The views of these entries, all visible to the actor, in the order of the ids. */
export async function views(
  db: Knex,
  actor: FirmViewer,
  ids: readonly number[],
  names: LoadedNames,
): Promise<AuditView[]> {
  const rows: Row[] = await db('audit_events')
    .whereRaw(`id IN (${BOUND_IDS})`, [bindList(ids)])
    .select(COLUMNS);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const links = await singleLinks(db, ids);
  const refsOfKind = (kind: SingleLink['kind']) =>
    new Map(links.flatMap((link) => (link.kind === kind ? [[link.event_id, link.ref] as const] : [])));
  const [items, clients] = [refsOfKind('item'), refsOfKind('client')];
  const existing = new Map(
    (await existingItems(db, actor, [...items.values()])).map((item) => [item.id, item]),
  );
  const entries = ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const entry = { ...row, detail: JSON.parse(row.detail) as Detail };
    return seesAll(actor) ? entry : withoutRestrictedDetails(entry);
  });
  await loadNames(db, actor, entries, names, [...clients.values()]);
  return entries.map(({ user_id, ...row }) => {
    const client = clients.get(row.id) ?? NO_CLIENT;
    const name = names.clients.get(client);
    const { browser, recipient, door } = row.detail;
    const user = user_id === null ? null : (names.users.get(user_id) ?? null);
    const isStranger = NOT_SIGNED_IN.has(row.did);
    const place = row.ip === null ? null : networkName(row.ip);
    const visitor = typeof recipient === 'string' ? byLink(recipient, door, place) : null;
    return {
      ...row,
      what: wordsOf(row),
      who: isStranger ? null : user_id === null ? visitor : user,
      about: isStranger ? (user ?? '') : describeSubject(row, names),
      place,
      browser: typeof browser === 'string' ? browser : null,
      item: existing.get(items.get(row.id) ?? 0) ?? null,
      client: name ? { id: client, name } : null,
    };
  });
}

/** The names of the person, client and item filtered by; null for any that the actor does not see. */
async function namesOf(
  db: Knex,
  actor: FirmViewer,
  { person, client, item }: AuditFilters,
): Promise<AuditPage['names']> {
  const { firmId: firm_id } = actor;
  const nameOf = async (table: 'users' | 'clients' | 'items', id: number, visible: string) => {
    const row: { name: string } | undefined = await only(db(table).where({ firm_id, id }), visible).first(
      'name',
    );
    return row?.name ?? null;
  };
  // The actor learns a colleague's name only from entries of the colleague that the actor sees.
  const seesPerson = async (id: number) =>
    seesAll(actor) || (await findEntries(db, actor, { person: id, limit: 1 })).length > 0;
  return {
    ...(person !== undefined && {
      person: (await seesPerson(person)) ? await nameOf('users', person, '') : null,
    }),
    ...(client !== undefined && { client: await nameOf('clients', client, isVisibleClient(actor)) }),
    ...(item !== undefined && { item: await nameOf('items', item, isVisible(actor)) }),
  };
}

/** `Ravi Kumar, Sharma Traders, deleted, from 2026-04-01`; '' for none. */
export async function filtersInWords(db: Knex, actor: FirmViewer, filters: AuditFilters): Promise<string> {
  const { kind, from, to } = filters;
  const names = Object.values(await namesOf(db, actor, filters)).map((name) => name ?? 'what is deleted');
  const words = [...names, kind?.replace('_', ' '), from && `from ${from}`, to && `to ${to}`];
  return words.filter(Boolean).join(', ');
}

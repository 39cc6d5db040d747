import type { Knex } from 'knex';
import { EACH_TEXT, checkOnly, list, queryRow, queryRows } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import {
  isVisible,
  isVisibleEntry,
  only,
  seesAll,
  visibleEntryIds,
  visibleItems,
} from '#server/visibility/visible.ts';
import type { AuditFilters, AuditKind, NamedId } from './contract.ts';
import { isOfKind } from './contract.ts';

/** So many of the newest entries are looked at one by one before an index is asked for what is rare among them. */
const NEAR = 1000;
/** As long as a person with assigned clients sees fewer entries than this, all of them are looked at. */
const FEW = 5000;
/** Of each colleague's newest entries so many are searched for one that such a person sees. */
const LOOKED_AT = 2000;

type Bindings = Knex.RawBinding[];
interface Part {
  sql: string;
  bindings: Bindings;
}

/** Offices count days in India. */
const dayStart = (day: string, add = 0): string =>
  new Date(Date.parse(`${day}T00:00:00+05:30`) + add * 86_400_000).toISOString();

/** Links to the item itself, whether it is still there or not, and to what lies in it now as far as the actor sees it. */
const ofItem = (actor: FirmViewer, ref: string): string =>
  `kind IN ('item', 'folder') AND ${ref} IN (
     WITH RECURSIVE below(id) AS (
       SELECT CAST(? AS bigint) UNION SELECT i.id FROM below CROSS JOIN ${visibleItems(actor)} i ON i.parent_id = below.id
     ) SELECT id FROM below)`;

/** What lies, or happens, in a folder that the actor does not see says nothing of that folder. */
async function linksOf(db: Knex, actor: FirmViewer, item: number): Promise<(ref: string) => string> {
  const there = () =>
    only(db('items').where({ id: item, firm_id: actor.firmId }), isVisible(actor)).first('id');
  return seesAll(actor) || (await there())
    ? (ref) => ofItem(actor, ref)
    : (ref) => `kind = 'item' AND ${ref} = ?`;
}

/** The events of the firm that are of the kind: few, and found without reading the history. */
async function eventsOfKind(db: Knex, firmId: number, kind: AuditKind): Promise<string> {
  const rows = await queryRows<{ did: string }>(
    db,
    `WITH RECURSIVE dids(did) AS (
       SELECT min(did) FROM audit_events WHERE firm_id = ?
       UNION ALL
       SELECT (SELECT min(did) FROM audit_events WHERE firm_id = ? AND did > dids.did) FROM dids WHERE did IS NOT NULL
     ) SELECT did FROM dids WHERE did IS NOT NULL`,
    [firmId, firmId],
  );
  return list(rows.flatMap(({ did }) => (isOfKind(did, kind) ? [did] : [])));
}

/** The first and the last id of these days. Times do not always rise with the ids: a clock may be set back. */
async function idsOfDays(
  db: Knex,
  firmId: number,
  start: string,
  end: string,
): Promise<[number, number] | null> {
  const row = await queryRow<{ first: number | null; last: number }>(
    db,
    'SELECT min(id) AS first, max(id) AS last FROM audit_events WHERE firm_id = ? AND at >= ? AND at < ?',
    [firmId, start, end],
  );
  return row && row.first !== null ? [row.first, row.last] : null;
}

const seesFew = async (db: Knex, actor: FirmViewer): Promise<boolean> => {
  if (seesAll(actor)) return false;
  const row = await queryRow<{ n: number }>(
    db,
    `SELECT count(*) AS n FROM (SELECT 1 FROM (${visibleEntryIds(actor)}) seen LIMIT ${FEW}) AS few`,
  );
  return Number(row?.n) < FEW;
};

/** The entries that answer the filters and that the actor sees, the newest first: at most `limit` ids below `before`. */
export async function findEntries(
  db: Knex,
  actor: FirmViewer,
  {
    before = Number.MAX_SAFE_INTEGER,
    limit,
    ...filters
  }: AuditFilters & { before?: number | undefined; limit: number },
): Promise<number[]> {
  const { firmId } = actor;
  const { person, client, item, kind, from, to } = filters;
  const checks: Part[] = [];
  const check = (sql: string, ...bindings: Bindings) => checks.push({ sql, bindings });

  const dids = kind && (await eventsOfKind(db, firmId, kind));
  const links = item === undefined ? null : await linksOf(db, actor, item);
  const days = from || to ? ([from ? dayStart(from) : '', to ? dayStart(to, 1) : '9'] as const) : null;
  let [first, end] = [0, before];
  if (days) check(`${checkOnly('at')} >= ? AND ${checkOnly('at')} < ?`, ...days);
  if (person !== undefined) check(`${checkOnly('user_id')} = ?`, person);
  if (dids !== undefined) check(`${checkOnly('did')} IN (${EACH_TEXT})`, dids);
  const about = 'SELECT 1 FROM audit_links a WHERE a.event_id = audit_events.id AND';
  if (client !== undefined) check(`EXISTS (${about} a.kind = 'client' AND a.ref = ?)`, client);
  if (links && item !== undefined) check(`EXISTS (${about} a.${links(checkOnly('a.ref'))})`, item);
  const visible = isVisibleEntry(actor);
  if (visible) check(visible);

  const ask = async (source: string, id: string, bindings: Bindings): Promise<number[]> => {
    const rows = await queryRows<{ id: number }>(
      db,
      `SELECT audit_events.id AS id FROM ${[source, ...checks.map(({ sql }) => sql)].join(' AND ')}
       AND ${id} >= ? AND ${id} < ? ORDER BY ${id} DESC LIMIT ?`,
      [...bindings, ...checks.flatMap((one) => one.bindings), first, end, limit],
    );
    return rows.map((row) => row.id);
  };
  /** Where no index has them in order, all that fit are looked at. */
  const gathered = (sql: string, ...bindings: Bindings) =>
    ask(`audit_events WHERE firm_id = ? AND ${sql}`, checkOnly('audit_events.id'), [firmId, ...bindings]);
  /** Among the newest alone. */
  const near = () =>
    ask(
      `(SELECT id, firm_id, user_id, did, at FROM audit_events WHERE firm_id = ? AND id >= ? AND id < ?
        ORDER BY id DESC LIMIT ${NEAR}) AS audit_events WHERE true`,
      checkOnly('audit_events.id'),
      [firmId, first, end],
    );

  if (days) {
    // Days up to now are likely answered by the newest.
    const newest = to === undefined ? await near() : [];
    if (newest.length === limit) return newest;
    const range = await idsOfDays(db, firmId, ...days);
    if (!range) return [];
    [first, end] = [range[0], Math.min(before, range[1] + 1)];
  }
  if (await seesFew(db, actor)) return gathered(`id IN (${visibleEntryIds(actor)})`);
  if (client !== undefined)
    return ask(
      `audit_links l CROSS JOIN audit_events ON audit_events.id = l.event_id
       WHERE firm_id = ? AND l.kind = 'client' AND l.ref = ?`,
      'l.event_id',
      [firmId, client],
    );
  if (!links && person !== undefined)
    return ask(
      `(SELECT id AS done FROM audit_events WHERE firm_id = ? AND user_id = ?) p
       CROSS JOIN audit_events ON audit_events.id = p.done WHERE true`,
      'p.done',
      [firmId, person],
    );
  if (!links && dids === undefined) return ask('audit_events WHERE firm_id = ?', 'audit_events.id', [firmId]);
  const found = await near();
  if (found.length === limit) return found;
  if (links && item !== undefined)
    return gathered(`id IN (SELECT event_id FROM audit_links WHERE ${links('ref')})`, item);
  return gathered(`did IN (${EACH_TEXT})`, dids ?? '[]');
}

/** By name everybody who has done something that the actor sees. */
export async function peopleOf(db: Knex, actor: FirmViewer): Promise<NamedId[]> {
  const { firmId } = actor;
  if (seesAll(actor)) return db('users').where({ firm_id: firmId }).orderBy('name').select('id', 'name');
  const sql = (await seesFew(db, actor))
    ? `id IN (SELECT user_id FROM audit_events WHERE id IN (${visibleEntryIds(actor)}) AND ${isVisibleEntry(actor)})`
    : `EXISTS (SELECT 1 FROM (SELECT id, user_id FROM audit_events WHERE firm_id = users.firm_id AND user_id = users.id
         ORDER BY id DESC LIMIT ${LOOKED_AT}) AS audit_events WHERE ${isVisibleEntry(actor)})`;
  return queryRows(db, `SELECT id, name FROM users WHERE firm_id = ? AND ${sql} ORDER BY name`, [firmId]);
}

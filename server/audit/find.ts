import type { Knex } from 'knex';
import { BOUND_TEXTS, checkOnly, bindList, queryRow, queryRows } from '#server/db/sql.ts';
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

/** The number of newest entries that are scanned before an index is searched, since a frequent match is among them. */
const NEWEST = 1000;
/** Below this number of entries visible to a user with assigned clients, all of them are scanned. */
const FEW = 5000;
/** The number of a colleague's newest entries that are searched for one visible to such a user. */
const NEWEST_PER_PERSON = 2000;

type Bindings = Knex.RawBinding[];
interface Condition {
  sql: string;
  bindings: Bindings;
}

/** The start of a day in India. */
const dayStart = (day: string, daysLater = 0): string =>
  new Date(Date.parse(`${day}T00:00:00+05:30`) + daysLater * 86_400_000).toISOString();

/** Links to the item, even if deleted, and to its present contents that the actor sees. */
const linksToTree = (actor: FirmViewer, ref: string): string =>
  `kind IN ('item', 'folder') AND ${ref} IN (
     WITH RECURSIVE below(id) AS (
       SELECT CAST(? AS bigint) UNION SELECT i.id FROM below CROSS JOIN ${visibleItems(actor)} i ON i.parent_id = below.id
     ) SELECT id FROM below)`;

/** Contents of a folder that the actor does not see are excluded, since they would reveal the folder. */
async function linksOf(db: Knex, actor: FirmViewer, item: number): Promise<(ref: string) => string> {
  const isVisibleItem = () =>
    only(db('items').where({ id: item, firm_id: actor.firmId }), isVisible(actor)).first('id');
  return seesAll(actor) || (await isVisibleItem())
    ? (ref) => linksToTree(actor, ref)
    : (ref) => `kind = 'item' AND ${ref} = ?`;
}

/** The firm's event names of the kind, from an index: there are few, so each is found by one step. */
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
  return bindList(rows.flatMap(({ did }) => (isOfKind(did, kind) ? [did] : [])));
}

/** The smallest and the largest id of these days. Ids are not always in order of time, since a clock may be set back. */
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

/** The ids of entries that match the filters and that the actor sees, newest first: at most `limit`, below `before`. */
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
  const conditions: Condition[] = [];
  const addCondition = (sql: string, ...bindings: Bindings) => conditions.push({ sql, bindings });

  const dids = kind && (await eventsOfKind(db, firmId, kind));
  const links = item === undefined ? null : await linksOf(db, actor, item);
  const days = from || to ? ([from ? dayStart(from) : '', to ? dayStart(to, 1) : '9'] as const) : null;
  let [first, end] = [0, before];
  if (days) addCondition(`${checkOnly('at')} >= ? AND ${checkOnly('at')} < ?`, ...days);
  if (person !== undefined) addCondition(`${checkOnly('user_id')} = ?`, person);
  if (dids !== undefined) addCondition(`${checkOnly('did')} IN (${BOUND_TEXTS})`, dids);
  const about = 'SELECT 1 FROM audit_links a WHERE a.event_id = audit_events.id AND';
  if (client !== undefined) addCondition(`EXISTS (${about} a.kind = 'client' AND a.ref = ?)`, client);
  if (links && item !== undefined) addCondition(`EXISTS (${about} a.${links(checkOnly('a.ref'))})`, item);
  const visible = isVisibleEntry(actor);
  if (visible) addCondition(visible);

  const query = async (source: string, id: string, bindings: Bindings): Promise<number[]> => {
    const rows = await queryRows<{ id: number }>(
      db,
      `SELECT audit_events.id AS id FROM ${[source, ...conditions.map(({ sql }) => sql)].join(' AND ')}
       AND ${id} >= ? AND ${id} < ? ORDER BY ${id} DESC LIMIT ?`,
      [...bindings, ...conditions.flatMap((condition) => condition.bindings), first, end, limit],
    );
    return rows.map((row) => row.id);
  };
  /** Without an index in the order of ids: reads all matches and sorts them. */
  const querySorted = (sql: string, ...bindings: Bindings) =>
    query(`audit_events WHERE firm_id = ? AND ${sql}`, checkOnly('audit_events.id'), [firmId, ...bindings]);
  const queryNewest = () =>
    query(
      `(SELECT id, firm_id, user_id, did, at FROM audit_events WHERE firm_id = ? AND id >= ? AND id < ?
        ORDER BY id DESC LIMIT ${NEWEST}) AS audit_events WHERE true`,
      checkOnly('audit_events.id'),
      [firmId, first, end],
    );

  if (days) {
    // Days up to today are likely among the newest entries.
    const newest = to === undefined ? await queryNewest() : [];
    if (newest.length === limit) return newest;
    const range = await idsOfDays(db, firmId, ...days);
    if (!range) return [];
    [first, end] = [range[0], Math.min(before, range[1] + 1)];
  }
  if (await seesFew(db, actor)) return querySorted(`id IN (${visibleEntryIds(actor)})`);
  if (client !== undefined)
    return query(
      `audit_links l CROSS JOIN audit_events ON audit_events.id = l.event_id
       WHERE firm_id = ? AND l.kind = 'client' AND l.ref = ?`,
      'l.event_id',
      [firmId, client],
    );
  if (!links && person !== undefined)
    return query(
      `(SELECT id AS done FROM audit_events WHERE firm_id = ? AND user_id = ?) p
       CROSS JOIN audit_events ON audit_events.id = p.done WHERE true`,
      'p.done',
      [firmId, person],
    );
  if (!links && dids === undefined)
    return query('audit_events WHERE firm_id = ?', 'audit_events.id', [firmId]);
  const newest = await queryNewest();
  if (newest.length === limit) return newest;
  if (links && item !== undefined)
    return querySorted(`id IN (SELECT event_id FROM audit_links WHERE ${links('ref')})`, item);
  return querySorted(`did IN (${BOUND_TEXTS})`, dids ?? '[]');
}

/** The users with entries that the actor sees, by name. */
export async function peopleOf(db: Knex, actor: FirmViewer): Promise<NamedId[]> {
  const { firmId } = actor;
  if (seesAll(actor)) return db('users').where({ firm_id: firmId }).orderBy('name').select('id', 'name');
  const sql = (await seesFew(db, actor))
    ? `id IN (SELECT user_id FROM audit_events WHERE id IN (${visibleEntryIds(actor)}) AND ${isVisibleEntry(actor)})`
    : `EXISTS (SELECT 1 FROM (SELECT id, user_id FROM audit_events WHERE firm_id = users.firm_id AND user_id = users.id
         ORDER BY id DESC LIMIT ${NEWEST_PER_PERSON}) AS audit_events WHERE ${isVisibleEntry(actor)})`;
  return queryRows(db, `SELECT id, name FROM users WHERE firm_id = ? AND ${sql} ORDER BY name`, [firmId]);
}

import type { Actor } from '#server/actor.ts';
import { checkOnly } from '#server/db/sql.ts';

/** The part of an actor that decides which items and clients a query returns. */
export type Viewer = Pick<Actor, 'userId' | 'role' | 'permissions' | 'clientScope' | 'onlyClient'>;

export type FirmViewer = Viewer & Pick<Actor, 'firmId'>;

/** For internal checks whose result shows no item, such as whether a folder would be moved into itself. */
export const UNRESTRICTED: Viewer = { userId: 0, role: 'admin', permissions: [], clientScope: 'all' };

/** Whether the user is limited to no list of assigned clients. */
export const hasAllClients = ({ role, clientScope }: Pick<Viewer, 'role' | 'clientScope'>): boolean =>
  role === 'admin' || clientScope === 'all';

/** Whether the actor sees everything in the firm; queries then have no visibility condition. */
export const seesAll = (actor: Pick<Viewer, 'role' | 'clientScope' | 'onlyClient'>): boolean =>
  hasAllClients(actor) && actor.onlyClient === undefined;

/** Ids of users and clients are part of the SQL text, so that a condition has no bindings and can be inserted anywhere. */
function idText(id: number): number {
  if (!Number.isSafeInteger(id)) throw new TypeError('Users and clients are known by whole numbers.');
  return id;
}
const idOf = ({ userId }: Viewer): number => idText(userId);

/** A condition on rows of the actor's firm. */
const inFirm = ({ firmId }: FirmViewer): string => `firm_id = ${Number(firmId)}`;

/** @param table '' for a query with a single table. */
const scopeOf = (table: string): string => `${table === '' ? '' : `${table}.`}scope_client_id`;

/** Selects, as `client_id`, the clients that a user is assigned to, directly or by a group. Not for users who see all. */
export function visibleClientIds(actor: Viewer): string {
  const assigned = `SELECT client_id FROM client_access WHERE user_id = ${idOf(actor)}`;
  if (actor.onlyClient === undefined) return assigned;
  const only = idText(actor.onlyClient);
  return hasAllClients(actor) ? `SELECT ${only} AS client_id` : `${assigned} AND client_id = ${only}`;
}

/** Whether the actor sees items that belong to no client. */
export const seesUnassigned = (actor: Viewer): boolean =>
  hasAllClients(actor) || actor.permissions.includes('documents.unassigned');

/**
 * A condition: the actor sees the scope in `column`. It is a lookup per row, which is faster than collecting all clients
 * of the actor if the query has few rows.
 */
function isOwn(actor: Viewer, column: string): string {
  const conditions = [
    ...(actor.onlyClient === undefined ? [] : [`${column} = ${idText(actor.onlyClient)}`]),
    ...(hasAllClients(actor)
      ? []
      : [
          `EXISTS (SELECT 1 FROM client_access mine WHERE mine.user_id = ${idOf(actor)} AND mine.client_id = ${column})`,
        ]),
  ];
  const isOfClient = conditions.join(' AND ');
  return seesUnassigned(actor) ? `(${column} = 0 OR ${isOfClient})` : `(${isOfClient})`;
}

/** Selects the scopes that the actor sees: the assigned clients, and 0 (items without a client) if permitted. */
const scopes = (actor: Viewer): string =>
  seesUnassigned(actor) ? `${visibleClientIds(actor)} UNION ALL SELECT 0` : visibleClientIds(actor);

/**
 * The one visibility rule: an item belongs to the nearest client above it, stored in `scope_client_id` (maintained by
 * triggers), and a user sees the items of their clients. For the user, an invisible item does not exist.
 *
 * `checkOnly` makes the planner use the same index as for an actor who sees everything.
 * @returns a condition on the rows of `table`; '' for an actor who sees everything, whose queries stay unchanged.
 */
export const isVisible = (actor: Viewer, table = 'items'): string =>
  seesAll(actor) ? '' : `${checkOnly(scopeOf(table))} IN (${scopes(actor)})`;

/** `isVisible`, for appending to other conditions. */
export const andVisible = (actor: Viewer, table = 'items'): string =>
  seesAll(actor) ? '' : ` AND ${isVisible(actor, table)}`;

/** Like `isVisible`, but the planner may use the index on `scope_client_id`. */
export const inScope = (actor: Viewer, table = 'items'): string => `${scopeOf(table)} IN (${scopes(actor)})`;

/** Like `isVisible`, for queries that select rows by id. */
export const isVisibleOne = (actor: Viewer, table = 'items'): string =>
  seesAll(actor) ? '' : isOwn(actor, scopeOf(table));

/** At this many rows of `scope_usage`, a share is not small, and no more rows are summed. */
const SMALL_SHARE_TOTALS = 1000;
/** Up to so many visible items, fetching all of them is faster than scanning the firm's items for them. */
export const SMALL_SHARE = 5000;

/** An expression, 1 or 0: the actor sees at most `max` items, by the running totals. Not for actors who see all. */
export const isSmallShare = (actor: FirmViewer, max = SMALL_SHARE): string =>
  `(SELECT count(*) < ${SMALL_SHARE_TOTALS} AND coalesce(sum(items), 0) <= ${max}
    FROM (SELECT items FROM scope_usage WHERE ${inFirm(actor)} AND ${inScope(actor, '')} LIMIT ${SMALL_SHARE_TOTALS}) AS these)`;

/**
 * Like `isVisible`, on items `i` that are joined to another table by `id`. If the actor sees few items, their ids are
 * collected first; otherwise the query would read and discard all items of other users.
 */
export const isVisibleJoined = (actor: FirmViewer, id: string): string =>
  seesAll(actor)
    ? ''
    : `CASE WHEN ${isSmallShare(actor)}
         THEN ${id} IN (SELECT id FROM items WHERE ${inFirm(actor)} AND ${inScope(actor, '')}) ELSE true END
       AND ${isVisible(actor, 'i')}`;

/** Table expression for the visible `items`; needs an alias in a query with other tables. */
export const visibleItems = (actor: Viewer): string =>
  seesAll(actor) ? 'items' : `(SELECT * FROM items WHERE ${isVisible(actor)})`;

/** A condition: the actor sees the parent folder of an item in a scope of its own. */
const seesParent = (actor: Viewer, table: string): string =>
  `EXISTS (SELECT 1 FROM items above WHERE above.id = ${table}.parent_id AND ${isOwn(actor, 'above.scope_client_id')})`;

/** `seesParent`, without the lookup where item and folder have the same scope (`scope_top = 0`). */
const underVisible = (actor: Viewer, table: string): string =>
  `(${table}.scope_top = 0 OR ${seesParent(actor, table)})`;

/** The `parent_id` that the actor sees: null if the folder is not visible. */
export const visibleParent = (actor: Viewer, table = 'items'): string =>
  seesAll(actor)
    ? `${table}.parent_id`
    : `CASE WHEN ${table}.parent_id IS NOT NULL AND ${underVisible(actor, table)} THEN ${table}.parent_id END`;

/** `visibleItems` with the `parent_id` that the actor sees. For walking up only: that column has no index. */
export const rootedItems = (actor: Viewer): string =>
  seesAll(actor)
    ? 'items'
    : `(SELECT id, name, type, firm_id, ${visibleParent(actor, 'seen')} AS parent_id FROM items seen WHERE ${isVisibleOne(actor, 'seen')})`;

/** A condition on visible items with `scope_top = 1`: they have no visible parent folder. */
const isRootOfSeen = (actor: Viewer, table: string): string =>
  `(${table}.parent_id IS NULL OR NOT ${seesParent(actor, table)})`;

/** The same for queries with many rows: collects all visible folders first. */
export const isRootOfMany = (actor: FirmViewer, table: string): string =>
  `(${table}.parent_id IS NULL OR ${table}.parent_id NOT IN (
     SELECT id FROM items WHERE ${inFirm(actor)} AND ${inScope(actor, '')} AND file_type IS NULL))`;

/** A condition on the items in the actor's 'My Drive': those without a parent folder that the actor sees. */
export const isAtRoot = (actor: Viewer, table: string): string =>
  seesAll(actor)
    ? `${table}.parent_id IS NULL`
    : `${table}.scope_top = 1 AND ${inScope(actor, table)} AND ${isRootOfSeen(actor, table)}`;

/** A condition on clients; '' for an actor who sees all. */
export const isVisibleClient = (actor: Viewer, table = 'clients'): string =>
  seesAll(actor) ? '' : `${table}.id IN (${visibleClientIds(actor)})`;

export const andVisibleClient = (actor: Viewer, table = 'clients'): string =>
  seesAll(actor) ? '' : ` AND ${isVisibleClient(actor, table)}`;

/**
 * A condition on `audit_events`: an entry is visible if the actor sees all clients that it concerns. An entry that
 * concerns no client is visible only to the user who caused it. '' for an actor who sees all.
 */
export function isVisibleEntry(actor: Viewer): string {
  if (seesAll(actor)) return '';
  const about = `SELECT 1 FROM audit_links l WHERE l.event_id = audit_events.id AND l.kind = 'client'`;
  return `(user_id = ${idOf(actor)} OR EXISTS (${about})) AND NOT EXISTS (${about} AND l.ref NOT IN (${scopes(actor)}))`;
}

/** Selects candidate ids: a superset of the entries that satisfy `isVisibleEntry`. Not for actors who see all. */
export const visibleEntryIds = (actor: FirmViewer): string =>
  `SELECT event_id FROM audit_links WHERE kind = 'client' AND ref IN (${scopes(actor)})
   UNION ALL SELECT id FROM audit_events WHERE firm_id = ${Number(actor.firmId)} AND user_id = ${idOf(actor)}`;

/** Adds one of the above conditions to a knex query. */
export function only<Q extends { whereRaw(sql: string): unknown }>(query: Q, condition: string): Q {
  if (condition !== '') query.whereRaw(condition);
  return query;
}

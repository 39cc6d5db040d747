import type { Actor } from '#server/actor.ts';
import { checkOnly } from '#server/db/sql.ts';

/** Whose eyes a query looks through. */
export type Seer = Pick<Actor, 'userId' | 'role' | 'permissions' | 'clientScope'>;

/** The same, within one firm. */
export type FirmSeer = Seer & Pick<Actor, 'firmId'>;

/** For what nobody is shown by it, such as whether a folder would be moved into itself. */
export const WHOLE: Seer = { userId: 0, role: 'admin', permissions: [], clientScope: 'all' };

/** Whether the actor sees all of the firm; then nothing is added to any query. */
export const seesAll = ({ role, clientScope }: Pick<Seer, 'role' | 'clientScope'>): boolean =>
  role === 'admin' || clientScope === 'all';

/** Ids stand in the text itself, so that a condition can be put anywhere without counting question marks. */
function idOf({ userId }: Seer): number {
  if (!Number.isSafeInteger(userId)) throw new TypeError('A user is known by a whole number.');
  return userId;
}

/** A condition on rows of the actor's firm. */
const inFirm = ({ firmId }: FirmSeer): string => `firm_id = ${Number(firmId)}`;

/** The column of an item's client, of the only table there is or of the one named. */
const scopeOf = (table: string): string => `${table === '' ? '' : `${table}.`}scope_client_id`;

/** Selects the ids of the clients that a person is assigned to, directly or by their group. */
const assigned = (actor: Seer): string =>
  `SELECT client_id FROM client_access WHERE user_id = ${idOf(actor)}`;

/** Selects the ids, as `client_id`, of the clients that the actor sees, who does not see all. */
export const visibleClientIds = (actor: Seer): string => assigned(actor);

/**
 * Whether the client in a column is one of the actor's, or nobody where they may see that: looked up for each row, which
 * is less than to gather all of the actor's clients where the rows are few.
 */
function isOwn(actor: Seer, column: string): string {
  const own = `EXISTS (SELECT 1 FROM client_access mine WHERE mine.user_id = ${idOf(actor)} AND mine.client_id = ${column})`;
  return actor.permissions.includes('documents.unassigned') ? `(${column} = 0 OR ${own})` : own;
}

/** Selects whose items a person sees: those of their clients, and if allowed nobody's, which is 0. */
const scopes = (actor: Seer): string =>
  actor.permissions.includes('documents.unassigned')
    ? `${assigned(actor)} UNION ALL SELECT 0`
    : assigned(actor);

/**
 * The one rule of who sees what: an item belongs to the nearest client above it, which the database keeps in
 * `scope_client_id`, and a person sees the items of their clients. What a query does not show does not exist.
 *
 * The planner is kept at the index that the query would use for somebody who sees everything.
 * @returns a condition on the rows of `table`; '' for who sees everything, so that their queries stay as they are.
 */
export const isVisible = (actor: Seer, table = 'items'): string =>
  seesAll(actor) ? '' : `${checkOnly(scopeOf(table))} IN (${scopes(actor)})`;

/** Whether the actor sees what belongs to no client. */
export const seesNobodys = (actor: Seer): boolean =>
  seesAll(actor) || actor.permissions.includes('documents.unassigned');

/** As `isVisible`, to be added to other conditions. */
export const andVisible = (actor: Seer, table = 'items'): string =>
  seesAll(actor) ? '' : ` AND ${isVisible(actor, table)}`;

/** As `isVisible`, where the rows are found by whom they belong to. */
export const inScope = (actor: Seer, table = 'items'): string => `${scopeOf(table)} IN (${scopes(actor)})`;

/** As `isVisible`, for rows that are found by their ids. */
export const isVisibleOne = (actor: Seer, table = 'items'): string =>
  seesAll(actor) ? '' : isOwn(actor, scopeOf(table));

/** Rows of the running totals from which on a person's share is not called small. */
const SMALL_SHARE_TOTALS = 1000;
/** Items of a person's own that are gathered sooner than the firm's others are passed by to find some of them. */
export const SMALL_SHARE = 5000;

/** Whether the items that a person sees, who does not see all, are so few: 1 or 0, from the running totals. */
export const isSmallShare = (actor: FirmSeer, most = SMALL_SHARE): string =>
  `(SELECT count(*) < ${SMALL_SHARE_TOTALS} AND coalesce(sum(items), 0) <= ${most}
    FROM (SELECT items FROM scope_usage WHERE ${inFirm(actor)} AND ${inScope(actor, '')} LIMIT ${SMALL_SHARE_TOTALS}) AS these)`;

/**
 * As `isVisible`, on items `i` that another table finds by `id`: where the actor sees few, these are known before any
 * row is read, or all that others have would be read to be left out.
 */
export const isVisibleFound = (actor: FirmSeer, id: string): string =>
  seesAll(actor)
    ? ''
    : `CASE WHEN ${isSmallShare(actor)}
         THEN ${id} IN (SELECT id FROM items WHERE ${inFirm(actor)} AND ${inScope(actor, '')}) ELSE true END
       AND ${isVisible(actor, 'i')}`;

/** What stands for the table `items` in a query; needs an alias where other tables stand beside it. */
export const visibleItems = (actor: Seer): string =>
  seesAll(actor) ? 'items' : `(SELECT * FROM items WHERE ${isVisible(actor)})`;

/** Whether the actor sees the folder in which an item lies. */
const seesParent = (actor: Seer, table: string): string =>
  `EXISTS (SELECT 1 FROM items above WHERE above.id = ${table}.parent_id AND ${isOwn(actor, 'above.scope_client_id')})`;

/** Whether the folder of an item is visible too; an item whose own is not begins the part of the tree that is seen. */
const underVisible = (actor: Seer, table: string): string =>
  `(${table}.scope_top = 0 OR ${seesParent(actor, table)})`;

/** The folder that an item lies in, as the actor sees it: null where that folder is not visible. */
export const visibleParent = (actor: Seer, table = 'items'): string =>
  seesAll(actor)
    ? `${table}.parent_id`
    : `CASE WHEN ${table}.parent_id IS NOT NULL AND ${underVisible(actor, table)} THEN ${table}.parent_id END`;

/** As `visibleItems`, with `parent_id` as the actor sees it; for ways up, since nothing is found by that column. */
export const rootedItems = (actor: Seer): string =>
  seesAll(actor)
    ? 'items'
    : `(SELECT id, name, type, firm_id, ${visibleParent(actor, 'seen')} AS parent_id FROM items seen WHERE ${isVisibleOne(actor, 'seen')})`;

/** A condition on what a person sees who does not see all, and whose client is not that of its folder: it stands in 'My Drive'. */
const isRootOfSeen = (actor: Seer, table: string): string =>
  `(${table}.parent_id IS NULL OR NOT ${seesParent(actor, table)})`;

/** The same for very many: all folders that the actor sees are gathered first. */
export const isRootOfMany = (actor: FirmSeer, table: string): string =>
  `(${table}.parent_id IS NULL OR ${table}.parent_id NOT IN (
     SELECT id FROM items WHERE ${inFirm(actor)} AND ${inScope(actor, '')} AND file_type IS NULL))`;

/** A condition on the items that stand in the actor's 'My Drive': those that lie in no folder, or in none that is seen. */
export const isAtRoot = (actor: Seer, table: string): string =>
  seesAll(actor)
    ? `${table}.parent_id IS NULL`
    : `${table}.scope_top = 1 AND ${inScope(actor, table)} AND ${isRootOfSeen(actor, table)}`;

/** A condition on the clients that the actor sees; '' for who sees all. */
export const isVisibleClient = (actor: Seer, table = 'clients'): string =>
  seesAll(actor) ? '' : `${table}.id IN (${assigned(actor)})`;

export const andVisibleClient = (actor: Seer, table = 'clients'): string =>
  seesAll(actor) ? '' : ` AND ${isVisibleClient(actor, table)}`;

/**
 * A condition on the entries of the history: those that are about what the actor sees and about nothing else, and of
 * those that are about no client at all the actor's own; '' for who sees all.
 */
export function isVisibleEntry(actor: Seer): string {
  if (seesAll(actor)) return '';
  const about = `SELECT 1 FROM audit_links l WHERE l.event_id = audit_events.id AND l.kind = 'client'`;
  return `(user_id = ${idOf(actor)} OR EXISTS (${about})) AND NOT EXISTS (${about} AND l.ref NOT IN (${scopes(actor)}))`;
}

/** Selects the ids of entries among which are all that a person sees who does not see all; the rest `isVisibleEntry` refuses. */
export const visibleEntryIds = (actor: FirmSeer): string =>
  `SELECT event_id FROM audit_links WHERE kind = 'client' AND ref IN (${scopes(actor)})
   UNION ALL SELECT id FROM audit_events WHERE firm_id = ${Number(actor.firmId)} AND user_id = ${idOf(actor)}`;

/** Narrows a query of knex's to what a condition of these lets through. */
export function only<Q extends { whereRaw(sql: string): unknown }>(query: Q, condition: string): Q {
  if (condition !== '') query.whereRaw(condition);
  return query;
}

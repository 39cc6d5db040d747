import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { networkName } from '#server/http/network-name.ts';
import type { ItemView } from '#server/documents/contract.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import type { ShareState, ShareView, SharesQuery } from './contract.ts';
import { SHARES_PAGE } from './contract.ts';
import type { LinkRow } from './model.ts';
import { lastDay, stateOf } from './model.ts';
import type { SharingDependencies } from './dependencies.ts';
import { maySeeLink } from './policy.ts';

/** Links per query. */
const BATCH_SIZE = 200;

interface NamedLinkRow extends LinkRow {
  maker_name: string;
  maker_gone: string | null;
  client_name: string | null;
}

/** Link rows with the names of their makers and clients; the caller restricts them to one firm. */
const rowsOf = (db: Knex) =>
  db('share_links as l')
    .join('users as u', 'u.id', 'l.made_by')
    .leftJoin('clients as c', (on) => on.on('c.id', 'l.client_id').on('c.firm_id', 'l.firm_id'))
    .select<NamedLinkRow[]>(
      'l.*',
      'u.name as maker_name',
      'u.deactivated_at as maker_gone',
      'c.name as client_name',
    );

const itemsOf = (db: Knex, links: readonly number[]): Promise<{ link_id: number; item_id: number }[]> =>
  queryRows(
    db,
    `SELECT link_id, item_id FROM share_link_items WHERE link_id IN (${BOUND_IDS}) ORDER BY link_id, item_id`,
    [bindList(links)],
  );

const recipientsOf = (
  db: Knex,
  links: readonly number[],
): Promise<{ link_id: number; email: string; last_opened_at: string | null }[]> =>
  queryRows(
    db,
    `SELECT link_id, email, last_opened_at FROM share_recipients WHERE link_id IN (${BOUND_IDS}) ORDER BY id`,
    [bindList(links)],
  );

const toSharedItem = ({ id, name, type, file_type, parent_id }: ItemView) => ({
  id,
  name,
  type,
  file_type,
  parent_id,
});

/** Views of these rows for the actor, without links that the actor may not see. */
async function viewsOf(
  dependencies: SharingDependencies,
  actor: Actor,
  rows: readonly NamedLinkRow[],
): Promise<ShareView[]> {
  const { db, clock, documents } = dependencies;
  const ids = rows.map(({ id }) => id);
  const items = Map.groupBy(await itemsOf(db, ids), ({ link_id }) => link_id);
  const recipients = Map.groupBy(await recipientsOf(db, ids), ({ link_id }) => link_id);
  const wanted = new Set([...items.values()].flat().map(({ item_id }) => item_id));
  const seen = new Map((await documents.views(actor, [...wanted])).map((item) => [item.id, item]));
  // The shared items may have moved to another client since, or the actor's assignments may have changed.
  const clients = new Set<number | null>(
    await only(db('clients'), isVisibleClient(actor))
      .whereIn('id', [...new Set(rows.flatMap(({ client_id }) => client_id ?? []))])
      .pluck('id'),
  );
  return rows.flatMap((row) => {
    const of = items.get(row.id) ?? [];
    const visibleItems = of.flatMap(({ item_id }) => seen.get(item_id) ?? []);
    if (!maySeeLink(actor, row, of.length > 0 && visibleItems.length === of.length)) return [];
    const state = stateOf(row, clock());
    const isGone = visibleItems.length === 0 || row.maker_gone !== null;
    return {
      id: row.id,
      state: state === 'open' && isGone ? 'gone' : state,
      items: visibleItems.map(toSharedItem),
      client:
        row.client_name === null || !clients.has(row.client_id)
          ? null
          : { id: row.client_id!, name: row.client_name },
      made_by: { id: row.made_by, name: row.maker_name },
      audience: row.audience,
      recipients: (recipients.get(row.id) ?? []).map(({ email, last_opened_at }) => ({
        email,
        last_opened_at,
      })),
      mode: row.mode,
      has_password: row.password_hash !== null,
      max_downloads: row.max_downloads,
      downloads: row.downloads,
      notify: row.notify === 1,
      on_portal: row.on_portal === 1,
      mask_aadhaar: row.mask_aadhaar === 1,
      open_locked: row.open_locked === 1,
      opened: row.opened,
      last_opened_at: row.last_opened_at,
      last_opened_by: row.last_opened_by,
      last_opened_from: row.last_opened_ip === null ? null : networkName(row.last_opened_ip),
      expires_on: lastDay(row.expires_at),
      expires_at: row.expires_at,
      created_at: row.created_at,
    };
  });
}

/** Restricts the query to rows that can be in this state; only the items decide whether a link is `gone`. */
function narrowTo(db: Knex, query: ReturnType<typeof rowsOf>, state: ShareState, now: string): void {
  if (state === 'revoked') {
    query.whereNotNull('l.revoked_at');
    return;
  }
  query.whereNull('l.revoked_at').where('l.expires_at', state === 'ended' ? '<=' : '>', now);
  if (state === 'used_up') query.where('l.downloads', '>=', db.ref('l.max_downloads'));
  else if (state !== 'ended')
    query.where((of) =>
      of.whereNull('l.max_downloads').orWhere('l.downloads', '<', db.ref('l.max_downloads')),
    );
}

/**
 * The firm's links that the actor sees, newest first. @param max the maximum number; the next page starts after the
 * last link.
 */
export async function listLinks(
  dependencies: SharingDependencies,
  actor: Actor,
  { item, client, state, before }: SharesQuery = {},
  max = SHARES_PAGE,
): Promise<ShareView[]> {
  const found: ShareView[] = [];
  let cursor = before;
  // Some rows may be hidden from the actor: continue until the page is full or the rows end.
  while (found.length < max) {
    const query = rowsOf(dependencies.db)
      .where('l.firm_id', actor.firmId)
      .orderBy('l.id', 'desc')
      .limit(BATCH_SIZE);
    if (cursor !== undefined) query.where('l.id', '<', cursor);
    if (client !== undefined) query.where('l.client_id', client);
    if (item !== undefined)
      query.whereIn('l.id', dependencies.db('share_link_items').where({ item_id: item }).select('link_id'));
    if (state !== undefined) narrowTo(dependencies.db, query, state, dependencies.clock().toISOString());
    const rows = await query;
    const seen = await viewsOf(dependencies, actor, rows);
    found.push(...seen.filter((share) => state === undefined || share.state === state));
    if (rows.length < BATCH_SIZE) break;
    cursor = rows.at(-1)!.id;
  }
  return found.slice(0, max);
}

/** All open links of the firm that the actor sees. */
export const openLinks = (dependencies: SharingDependencies, actor: Actor): Promise<ShareView[]> =>
  listLinks(dependencies, actor, { state: 'open' }, Infinity);

/** The visible ones of these links of the firm. */
export async function linksByIds(
  dependencies: SharingDependencies,
  actor: Actor,
  ids: readonly number[],
): Promise<ShareView[]> {
  const query = rowsOf(dependencies.db).where('l.firm_id', actor.firmId).orderBy('l.id', 'desc');
  return viewsOf(dependencies, actor, await query.whereIn('l.id', ids));
}

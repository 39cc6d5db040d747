import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { EACH, list, queryRows } from '#server/db/sql.ts';
import { placeName } from '#server/http/place-name.ts';
import type { ItemView } from '#server/documents/contract.ts';
import { isVisibleClient, only } from '#server/visibility/visible.ts';
import type { ShareState, ShareView, SharesQuery } from './contract.ts';
import { SHARES_PAGE } from './contract.ts';
import type { LinkRow } from './model.ts';
import { lastDay, stateOf } from './model.ts';
import type { SharingParts } from './parts.ts';
import { maySeeLink } from './policy.ts';

/** Links that are read at a time. */
const READ = 200;

interface Named extends LinkRow {
  maker_name: string;
  maker_gone: string | null;
  client_name: string | null;
}

/** Links with the names of who made them and of their clients; to be narrowed to one firm. */
const rowsOf = (db: Knex) =>
  db('share_links as l')
    .join('users as u', 'u.id', 'l.made_by')
    .leftJoin('clients as c', (on) => on.on('c.id', 'l.client_id').on('c.firm_id', 'l.firm_id'))
    .select<Named[]>(
      'l.*',
      'u.name as maker_name',
      'u.deactivated_at as maker_gone',
      'c.name as client_name',
    );

const itemsOf = (db: Knex, links: readonly number[]): Promise<{ link_id: number; item_id: number }[]> =>
  queryRows(
    db,
    `SELECT link_id, item_id FROM share_link_items WHERE link_id IN (${EACH}) ORDER BY link_id, item_id`,
    [list(links)],
  );

const recipientsOf = (
  db: Knex,
  links: readonly number[],
): Promise<{ link_id: number; email: string; last_opened_at: string | null }[]> =>
  queryRows(
    db,
    `SELECT link_id, email, last_opened_at FROM share_recipients WHERE link_id IN (${EACH}) ORDER BY id`,
    [list(links)],
  );

const shared = ({ id, name, type, file_type, parent_id }: ItemView) => ({
  id,
  name,
  type,
  file_type,
  parent_id,
});

/** These rows as the actor sees them; those of which nothing may be seen are left out. */
async function viewsOf(parts: SharingParts, actor: Actor, rows: readonly Named[]): Promise<ShareView[]> {
  const { db, clock, documents } = parts;
  const ids = rows.map(({ id }) => id);
  const items = Map.groupBy(await itemsOf(db, ids), ({ link_id }) => link_id);
  const recipients = Map.groupBy(await recipientsOf(db, ids), ({ link_id }) => link_id);
  const wanted = new Set([...items.values()].flat().map(({ item_id }) => item_id));
  const seen = new Map((await documents.views(actor, [...wanted])).map((one) => [one.id, one]));
  // What is shared may have become another client's since, or the actor may work for others by now.
  const clients = new Set<number | null>(
    await only(db('clients'), isVisibleClient(actor))
      .whereIn('id', [...new Set(rows.flatMap(({ client_id }) => client_id ?? []))])
      .pluck('id'),
  );
  return rows.flatMap((row) => {
    const of = items.get(row.id) ?? [];
    const there = of.flatMap(({ item_id }) => seen.get(item_id) ?? []);
    if (!maySeeLink(actor, row, of.length > 0 && there.length === of.length)) return [];
    const state = stateOf(row, clock());
    const dead = there.length === 0 || row.maker_gone !== null;
    return {
      id: row.id,
      state: state === 'open' && dead ? 'gone' : state,
      items: there.map(shared),
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
      last_opened_from: row.last_opened_ip === null ? null : placeName(row.last_opened_ip),
      expires_on: lastDay(row.expires_at),
      expires_at: row.expires_at,
      created_at: row.created_at,
    };
  });
}

/** Narrows rows to what can be in this state by what they alone tell; whether one is `gone` its items tell. */
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

/** The firm's links that the actor sees, the newest first. @param most of them; the page after begins behind the last one. */
export async function listLinks(
  parts: SharingParts,
  actor: Actor,
  { item, client, state, before }: SharesQuery = {},
  most = SHARES_PAGE,
): Promise<ShareView[]> {
  const found: ShareView[] = [];
  let behind = before;
  // Of what is read some may be hidden from the actor: a page that is not full is the last one.
  while (found.length < most) {
    const query = rowsOf(parts.db).where('l.firm_id', actor.firmId).orderBy('l.id', 'desc').limit(READ);
    if (behind !== undefined) query.where('l.id', '<', behind);
    if (client !== undefined) query.where('l.client_id', client);
    if (item !== undefined)
      query.whereIn('l.id', parts.db('share_link_items').where({ item_id: item }).select('link_id'));
    if (state !== undefined) narrowTo(parts.db, query, state, parts.clock().toISOString());
    const rows = await query;
    const seen = await viewsOf(parts, actor, rows);
    found.push(...seen.filter((one) => state === undefined || one.state === state));
    if (rows.length < READ) break;
    behind = rows.at(-1)!.id;
  }
  return found.slice(0, most);
}

/** All links of the firm that the actor sees and that can be opened now. */
export const openLinks = (parts: SharingParts, actor: Actor): Promise<ShareView[]> =>
  listLinks(parts, actor, { state: 'open' }, Infinity);

/** These links of the firm, as far as the actor sees them. */
export async function linksNamed(
  parts: SharingParts,
  actor: Actor,
  ids: readonly number[],
): Promise<ShareView[]> {
  const query = rowsOf(parts.db).where('l.firm_id', actor.firmId).orderBy('l.id', 'desc');
  return viewsOf(parts, actor, await query.whereIn('l.id', ids));
}

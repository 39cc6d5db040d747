import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { isVisible, only } from '#server/visibility/visible.ts';
import type { MovePreview } from '../contract.ts';
import { isUnderLegalHold } from '../legal-holds/guard.ts';
import type { Top } from './link-contents.ts';
import { previewStaying, viewerOf } from './link-contents.ts';
import { findItems } from './remove.ts';

/** A folder that takes in items. */
export interface TargetFolder {
  client_id: number | null;
  scope_client_id: number;
}

/** The folder, or 'My Drive'; undefined if the actor sees no such folder. */
export const targetFolder = async (
  db: Knex,
  actor: Actor,
  id: number | null,
): Promise<TargetFolder | undefined> =>
  id === null
    ? { client_id: null, scope_client_id: 0 }
    : only(db('items').where({ id, firm_id: actor.firmId, type: 'folder' }), isVisible(actor)).first(
        'client_id',
        'scope_client_id',
      );

/** The client of a folder, unless it was deleted; unlinking the items of a deleted client takes a while. */
export const clientOf = async (
  db: Knex,
  actor: Actor,
  { client_id: id }: TargetFolder,
): Promise<{ id: number; name: string } | undefined> =>
  id === null ? undefined : db('clients').where({ id, firm_id: actor.firmId }).first('id', 'name');

/** SQL of rows `i` in a folder `p`: the item has no client, a deleted one, or the same as its present folder. */
const HAS_NO_OWN_CLIENT = `(i.client_id IS NULL OR i.client_id = p.client_id
  OR i.client_id IN (SELECT id FROM clients WHERE firm_id = 0))`;

/** The items whose client a move to a folder of a client changes. */
export async function withoutOwnClient(db: Knex, ids: readonly number[]): Promise<number[]> {
  const rows = await queryRows<{ id: number }>(
    db,
    `SELECT i.id FROM items i LEFT JOIN items p ON p.id = i.parent_id
     WHERE i.id IN (${BOUND_IDS}) AND ${HAS_NO_OWN_CLIENT} ORDER BY i.id`,
    [bindList(ids)],
  );
  return rows.map(({ id }) => id);
}

/** The items that a legal hold keeps with their client, which a move to the folder would take them from. */
export async function findHeldBack(
  db: Knex,
  ids: readonly number[],
  { scope_client_id }: TargetFolder,
  client: { id: number } | undefined,
): Promise<ReadonlySet<number>> {
  const kept = 'coalesce(i.client_id, ?)';
  const then = client ? `CASE WHEN ${HAS_NO_OWN_CLIENT} THEN ? ELSE ${kept} END` : kept;
  const rows = await queryRows<{ id: number }>(
    db,
    `SELECT i.id FROM items i LEFT JOIN items p ON p.id = i.parent_id
     WHERE i.id IN (${BOUND_IDS}) AND ${isUnderLegalHold('i.scope_client_id')} AND i.scope_client_id <> ${then}`,
    [bindList(ids), ...(client ? [client.id] : []), scope_client_id],
  );
  return new Set(rows.map(({ id }) => id));
}

/** To whom the items would belong after a move to a folder. The preview of a folder that is gone says nothing. */
export async function previewMove(
  db: Knex,
  actor: Actor,
  { ids, parent_id }: { ids: readonly number[]; parent_id: number | null },
): Promise<MovePreview> {
  const target = await targetFolder(db, actor, parent_id);
  const client = target && (await clientOf(db, actor, target));
  if (!client)
    return {
      to: null,
      from: [],
      count: 0,
      staying: { count: 0, clients: [] },
      inside: { count: 0, clients: [], more: false },
    };
  const { items } = await findItems(db, actor, ids);
  const chosen = [...items.keys()];
  const following = new Set(await withoutOwnClient(db, chosen));
  const rows = await queryRows<{ id: number; client_id: number | null; name: string | null }>(
    db,
    `SELECT i.id, i.client_id, c.name FROM items i LEFT JOIN clients c ON c.id = i.client_id AND c.firm_id = i.firm_id
     WHERE i.id IN (${BOUND_IDS}) AND i.client_id IS DISTINCT FROM ? ORDER BY c.sort_key`,
    [bindList(chosen), client.id],
  );
  const [changing, staying] = [true, false].map((follow) => {
    const some = rows.filter(({ id }) => following.has(id) === follow);
    return { count: some.length, clients: [...new Set(some.flatMap(({ name }) => name ?? []))] };
  }) as [MovePreview['staying'], MovePreview['staying']];
  const tops = rows.flatMap(({ id, client_id }): Top[] =>
    following.has(id) && items.get(id)?.type === 'folder' ? [[id, client_id]] : [],
  );
  const inside = await previewStaying(db, { tops, client_id: client.id, ...viewerOf(actor) }, chosen);
  return { to: client.name, from: changing.clients, count: changing.count, staying, inside };
}

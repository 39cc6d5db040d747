import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Permission } from '#server/permissions.ts';
import { forbidden, notFound } from '#server/http/errors.ts';
import type { ItemRow } from './model.ts';
import { Item } from './model.ts';
import { may } from '#server/actor.ts';
import { mayRead } from './policy.ts';
import { sealOver, seesSealed } from './seals/guard.ts';
import { checkOnly, expression } from '#server/db/sql.ts';
import { andVisible, isVisibleOne, only, visibleParent } from '#server/visibility/visible.ts';

/** The columns that `itemRows` selects. */
export const ITEM_COLUMNS = [
  'id',
  'parent_id',
  'type',
  'name',
  'file_type',
  'file_size',
  'client_id',
  'client_name',
  'owner_id',
  'owner_name',
  'created_at',
  'modified_at',
  'original_at',
  'seal_id',
  'seal_at',
  'seal_by',
  'seal_item',
  'seal_reason',
  'children_count',
] as const satisfies (keyof ItemRow)[];

/**
 * A query for the items that the actor sees, with the names of owner and client. The caller must restrict it to the
 * actor's firm. Items of a deleted client keep its id for a while, but the client then belongs to firm 0: the join on
 * `firm_id` drops it.
 */
export function itemRows(db: Knex, actor: Actor): Knex.QueryBuilder<ItemRow, ItemRow[]> {
  return only(db('items as i'), isVisibleOne(actor, 'i'))
    .join('users as u', 'u.id', 'i.owner_id')
    .leftJoin('seals as s', (on) => on.on('s.id', expression(db, sealOver('i'))))
    .leftJoin('users as sealer', 'sealer.id', 's.sealed_by')
    .leftJoin('clients as c', (on) => on.on('c.id', 'i.client_id').on('c.firm_id', 'i.firm_id'))
    .select(
      'i.id',
      expression(db, `${visibleParent(actor, 'i')} AS parent_id`),
      'i.type',
      'i.name',
      'i.file_type',
      'i.file_size',
      'c.id as client_id',
      'c.name as client_name',
      'i.owner_id',
      'u.name as owner_name',
      'i.created_at',
      'i.modified_at',
      'i.original_at',
      's.id as seal_id',
      's.sealed_at as seal_at',
      'sealer.name as seal_by',
      expression(db, `CASE WHEN ${seesSealed(actor)} THEN s.item_id END AS seal_item`),
      expression(db, `CASE WHEN ${seesSealed(actor)} THEN s.reason END AS seal_reason`),
      expression(
        db,
        `CASE i.type WHEN 'folder' THEN (SELECT count(*) FROM items child WHERE child.parent_id = i.id${andVisible(actor, 'child')}) END AS children_count`,
      ),
    ) as Knex.QueryBuilder<ItemRow, ItemRow[]>;
}

/** A condition on the firm for queries that select by id: it never makes the planner use the firm's index. */
export const ofFirm = (table: string): string => `${checkOnly(`${table}.firm_id`)} = ?`;

/** Conditions on items: of one client (bindings: client id, firm id), and of no client. A deleted client belongs to firm 0. */
export const OF_CLIENT = 'client_id = (SELECT id FROM clients WHERE id = ? AND firm_id = ?)';
export const OF_NO_CLIENT = `(${checkOnly('client_id')} IS NULL OR ${checkOnly('client_id')} IN (SELECT id FROM clients WHERE firm_id = 0))`;

/** A condition (binding: client id) that a client's item is topmost: its folder is not linked to the same client. */
export const topOfClient = (table: string): string =>
  `NOT EXISTS (SELECT 1 FROM items holder WHERE holder.id = ${table}.parent_id AND holder.client_id = ?)`;

/** @throws {AppError} 403 when the actor lacks the permission. */
export function requirePermission(actor: Actor, permission: Permission): void {
  if (!may(actor, permission)) throw forbidden();
}

/** @throws {AppError} 404 when the item does not exist for the actor, 403 when the actor sees it but lacks the permission. */
export async function findItem(db: Knex, actor: Actor, id: number, permission: Permission): Promise<Item> {
  const found = Item.query(db).findById(id);
  const item = await only(found, isVisibleOne(actor)).select(
    'items.*',
    expression(db, `${visibleParent(actor)} AS seen_parent_id`),
  );
  if (!item || item.firm_id !== actor.firmId) throw notFound('item');
  if (!mayRead(actor, item)) throw forbidden();
  requirePermission(actor, permission);
  return item;
}

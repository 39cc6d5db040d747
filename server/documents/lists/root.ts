import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { checkOnly, queryRow } from '#server/db/sql.ts';
import { inScope, isAtRoot, isRootOfMany, isVisible, seesAll } from '#server/visibility/visible.ts';
import type { PageQuery } from './folder-order.ts';
import { inOrder, itemsFor, pageOf } from './folder-order.ts';

/** Items of a person's own that are gathered sooner than looked for among the firm's. */
const FEW = 2000;
/** Items of the firm among which a page of a person's own is looked for. */
const NEAR = 20_000;

/** Ids of what stands in the actor's 'My Drive', a page of them in no order. @throws {AppError} 422 for a cursor of another list. */
export async function rootIds(db: Knex, actor: Actor, query: PageQuery): Promise<number[]> {
  const { order, size } = query;
  const items = itemsFor(db, order).where('i.firm_id', actor.firmId);
  if (seesAll(actor)) {
    // By name they stand in order in an index; for the other orders another one tells which they are.
    const at = order.sort === 'name' ? 'i.parent_id IS NULL' : 'coalesce(i.parent_id, 0) = 0';
    return pageOf(items.whereRaw(at), query);
  }
  const type = checkOnly('i.type');
  if (await hasFew(db, actor)) return pageOf(items.whereRaw(isAtRoot(actor, 'i')), query, type);
  // In the order of names those of many are soon found among the firm's.
  if (order.sort === 'name' && order.direction === 'asc') {
    const near = await nearIds(db, actor, query);
    if (near.length === size) return near;
  }
  const own = `i.scope_top = 1 AND ${inScope(actor, 'i')} AND ${isRootOfMany(actor, 'i')}`;
  return pageOf(items.whereRaw(own), query, type);
}

async function hasFew(db: Knex, actor: Actor): Promise<boolean> {
  const row = await queryRow<{ tops: number }>(
    db,
    `SELECT count(*) AS tops FROM (
       SELECT 1 FROM items WHERE firm_id = ? AND scope_top = 1 AND ${inScope(actor, '')} LIMIT ${FEW + 1}
     ) AS these`,
    [actor.firmId],
  );
  return row!.tops <= FEW;
}

/** What of the firm lies nearest in the order, as far as the actor sees it at the top: fewer than a page, or all of it. */
function nearIds(db: Knex, actor: Actor, { order, cursor, size }: PageQuery): Promise<number[]> {
  const tops = db('items as i').where({ 'i.firm_id': actor.firmId }).whereRaw('i.scope_top = 1');
  inOrder(tops, order, cursor);
  return db
    .from(tops.select('i.id', 'i.parent_id', 'i.scope_client_id').limit(NEAR).as('i'))
    .whereRaw(isVisible(actor, 'i'))
    .whereRaw(isRootOfMany(actor, 'i'))
    .limit(size)
    .pluck('i.id');
}

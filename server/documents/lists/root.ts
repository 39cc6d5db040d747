import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { checkOnly, queryRow } from '#server/db/sql.ts';
import { inScope, isAtRoot, isRootOfMany, isVisible, seesAll } from '#server/visibility/visible.ts';
import type { PageQuery } from './folder-order.ts';
import { inOrder, itemsFor, pageOf } from './folder-order.ts';

/** Up to so many top-level items of an actor are fetched and sorted at once. */
const MAX_SORTED = 2000;
/** Number of the firm's top-level items scanned for a page of the actor's. */
const MAX_SCANNED = 20_000;

/** Ids of one page of the actor's 'My Drive', unsorted. @throws {AppError} 422 for a cursor of another list. */
export async function rootIds(db: Knex, actor: Actor, query: PageQuery): Promise<number[]> {
  const { order, size } = query;
  const items = itemsFor(db, order).where('i.firm_id', actor.firmId);
  if (seesAll(actor)) {
    // Sorting by `parent_id`, too, makes both planners choose the index that covers all orders, even without statistics.
    items.whereRaw('i.parent_id IS NULL').orderByRaw('i.parent_id');
    return pageOf(items, query);
  }
  const type = checkOnly('i.type');
  if (await hasFewTopItems(db, actor)) return pageOf(items.whereRaw(isAtRoot(actor, 'i')), query, type);
  // Sorted by name, an actor with many items finds a page quickly among the firm's.
  if (order.sort === 'name' && order.direction === 'asc') {
    const page = await scanFirm(db, actor, query);
    if (page.length === size) return page;
  }
  const isRootItem = `i.scope_top = 1 AND ${inScope(actor, 'i')} AND ${isRootOfMany(actor, 'i')}`;
  return pageOf(items.whereRaw(isRootItem), query, type);
}

async function hasFewTopItems(db: Knex, actor: Actor): Promise<boolean> {
  const row = await queryRow<{ tops: number }>(
    db,
    `SELECT count(*) AS tops FROM (
       SELECT 1 FROM items WHERE firm_id = ? AND scope_top = 1 AND ${inScope(actor, '')} LIMIT ${MAX_SORTED + 1}
     ) AS these`,
    [actor.firmId],
  );
  return row!.tops <= MAX_SORTED;
}

/** The actor's top-level items among the next ones of the firm: possibly fewer than a page. */
function scanFirm(db: Knex, actor: Actor, { order, cursor, size }: PageQuery): Promise<number[]> {
  const topItems = db('items as i').where({ 'i.firm_id': actor.firmId }).whereRaw('i.scope_top = 1');
  inOrder(topItems, order, cursor);
  return db
    .from(topItems.select('i.id', 'i.parent_id', 'i.scope_client_id').limit(MAX_SCANNED).as('i'))
    .whereRaw(isVisible(actor, 'i'))
    .whereRaw(isRootOfMany(actor, 'i'))
    .limit(size)
    .pluck('i.id');
}

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import { isVisibleOne, only } from '#server/visibility/visible.ts';

/** Whether the actor may see an item, be it in Trash. */
export async function sees(db: Knex, actor: Actor, id: number): Promise<boolean> {
  if (!may(actor, 'documents.read')) return false;
  const rows = db('item_rows').where({ id, firm_id: actor.firmId });
  return (await only(rows, isVisibleOne(actor, 'item_rows')).first('id')) !== undefined;
}

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, boundIdRows, bindList, placeholders, queryRow, queryRows } from '#server/db/sql.ts';
import { fold } from '#server/text/fold.ts';
import { visibleItems } from '#server/visibility/visible.ts';
import type { ItemView } from '../contract.ts';
import type { LabelView } from './contract.ts';

/** Adds `labels` to the views of items that have any. */
export async function withLabels<View extends ItemView>(
  db: Knex,
  { firmId }: Pick<Actor, 'firmId'>,
  views: View[],
): Promise<View[]> {
  if (views.length === 0) return views;
  const any = await queryRow(db, 'SELECT 1 AS there FROM labels WHERE firm_id = ? LIMIT 1', [firmId]);
  if (!any) return views;
  // The join starts from the items: from the labels, it would read every item of the firm with a common label.
  const rows = await queryRows<LabelView & { item_id: number }>(
    db,
    `SELECT il.item_id, l.id, l.name, l.colour FROM ${boundIdRows('wanted')}
     CROSS JOIN item_labels il ON il.item_id = wanted.value
     CROSS JOIN labels l ON l.id = il.label_id AND l.firm_id = ? ORDER BY l.name_key`,
    [bindList(views.map(({ id }) => id)), firmId],
  );
  if (rows.length === 0) return views;
  const byItem = Map.groupBy(rows, ({ item_id }) => item_id);
  return views.map((view) => {
    const labels = byItem.get(view.id);
    return labels ? { ...view, labels: labels.map(({ item_id: _item, ...label }) => label) } : view;
  });
}

/** At most `most` items with a label whose name contains every word of the text. */
export async function searchByLabel(db: Knex, actor: Actor, text: string, most: number): Promise<number[]> {
  const words = fold(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const labels = await queryRows<LabelView>(db, 'SELECT id, name FROM labels WHERE firm_id = ?', [
    actor.firmId,
  ]);
  const like = labels.filter(({ name }) => words.every((word) => fold(name).includes(word)));
  if (like.length === 0) return [];
  const ids = like.map(({ id }) => id);
  const rows = await queryRows<{ id: number }>(
    db,
    `SELECT DISTINCT i.id FROM item_labels il CROSS JOIN ${visibleItems(actor)} i ON i.id = il.item_id
     WHERE il.label_id IN (${placeholders(ids)}) AND i.firm_id = ? LIMIT ?`,
    [...ids, actor.firmId, most],
  );
  return rows.map(({ id }) => id);
}

/** A condition on items: with a label (bindings: label id, firm id). */
export const BEARS_LABEL =
  'id IN (SELECT item_id FROM item_labels WHERE label_id = (SELECT id FROM labels WHERE id = ? AND firm_id = ?))';

/** The given items that the actor sees, with their names. */
export const seenOf = (db: Knex, actor: Actor, ids: readonly number[]) =>
  queryRows<{ id: number; name: string }>(
    db,
    `SELECT id, name FROM ${visibleItems(actor)} i WHERE id IN (${BOUND_IDS}) AND firm_id = ?`,
    [bindList(ids), actor.firmId],
  );

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { notFound } from '#server/http/errors.ts';
import type { ItemView, RecentView } from './contract.ts';
import { withQuarantineState } from './incoming/quarantined.ts';
import { withSentBack } from './incoming/sent-back.ts';
import { withUnseen } from './incoming/unseen.ts';
import { withLabels } from './labels/of-items.ts';
import { toView } from './model.ts';
import { requirePermission, itemRows, ofFirm } from './rows.ts';
import { touched } from './lists/recents.ts';
import { BOUND_IDS, bindList } from '../db/sql.ts';
import { paths } from './tree.ts';

/** Adds labels, `is_new`, `sent_back` and `held_back` to the views that have them. */
export async function withMarks<View extends ItemView>(
  db: Knex,
  actor: Pick<Actor, 'firmId'>,
  views: View[],
): Promise<View[]> {
  const labelled = await withLabels(db, actor, views);
  const received = await withSentBack(db, actor, await withUnseen(db, actor, labelled));
  return withQuarantineState(db, actor, received);
}

/** One view without its path, for the response to a change. */
export async function viewOf(db: Knex, actor: Actor, id: number): Promise<ItemView> {
  const row = await itemRows(db, actor).where('i.id', id).first();
  if (!row) throw notFound('item');
  const [view] = await withMarks(db, actor, [toView(row)]);
  return view!;
}

/** Views of the firm's items in the order of `ids`, each with its path; items that the actor does not see are left out. */
export async function viewsOf(db: Knex, actor: Actor, ids: readonly number[]): Promise<ItemView[]> {
  requirePermission(actor, 'documents.read');
  if (ids.length === 0) return [];
  const rows = await itemRows(db, actor)
    .whereRaw(`i.id IN (${BOUND_IDS})`, [bindList(ids)])
    .whereRaw(ofFirm('i'), [actor.firmId]);
  const above = await paths(
    db,
    actor,
    rows.map((row) => row.parent_id),
  );
  const views = rows.map((row) => toView(row, above.get(row.parent_id ?? 0) ?? ''));
  const byId = new Map((await withMarks(db, actor, views)).map((view) => [view.id, view]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The items that the actor opened or changed last, latest first. */
export async function recentOf(db: Knex, actor: Actor, limit: number): Promise<RecentView[]> {
  requirePermission(actor, 'documents.read');
  const touches = await touched(db, actor, limit);
  const touchedAt = new Map(touches.map(({ item_id, touched_at }) => [item_id, touched_at]));
  const views = await viewsOf(db, actor, [...touchedAt.keys()]);
  return views.map((view) => ({ ...view, touched_at: touchedAt.get(view.id)! }));
}

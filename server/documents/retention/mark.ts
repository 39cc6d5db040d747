import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { queryRows } from '#server/db/sql.ts';
import { forbidden } from '#server/http/errors.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { isVisible, seesAll } from '#server/visibility/visible.ts';
import { holdingUnseen } from '../holding-unseen.ts';
import { findItem } from '../rows.ts';
import type { ItemRetention, MarkItem } from './contract.ts';
import { coversOf, marksOf } from './cover.ts';
import { mayManage } from './policy.ts';
import { rulesIn, rulesOf } from './rules.ts';
import type { RetentionDependencies } from './service.ts';

const NOT_ALL_YOURS =
  'Retention cannot be changed by you for this folder, since you do not see all that it holds. Ask an admin to change it.';
/** In place of what was written about a folder that somebody does not see. */
const UNSEEN_REASON = 'Taken out together with a folder above that you do not see.';

/** A day or exemption that a user has entered for an item. */
interface Mark {
  item_id: number;
  counts_from: string | null;
  exempt_reason: string | null;
  set_by: string;
  set_at: string;
}

/** The marks of the item and of the folders above, nearest first; `seen` is 0 for those of folders that the actor does not see. */
const marksAbove = (db: Knex, actor: Actor, id: number): Promise<(Mark & { seen: number })[]> =>
  queryRows(
    db,
    `WITH RECURSIVE up(id, parent_id, height) AS (
       SELECT id, parent_id, 0 FROM items WHERE id = ?
       UNION ALL
       SELECT i.id, i.parent_id, up.height + 1 FROM up CROSS JOIN items i ON i.id = up.parent_id
     ) SELECT m.item_id, m.counts_from, m.exempt_reason, who.name AS set_by, m.set_at,
       ${seesAll(actor) ? '1' : `CASE WHEN EXISTS (SELECT 1 FROM items s WHERE s.id = m.item_id AND ${isVisible(actor, 's')}) THEN 1 ELSE 0 END`} AS seen
     FROM up CROSS JOIN retention_marks m ON m.item_id = up.id JOIN users who ON who.id = m.set_by
     ORDER BY up.height`,
    [id],
  );

/** The rules, day and exemption that apply to an item. @throws {AppError} 404, 403. */
export async function stateOf(db: Knex, actor: Actor, id: number, now: Date): Promise<ItemRetention> {
  const item = await findItem(db, actor, id, 'documents.read');
  const marks = await marksAbove(db, actor, id);
  const [nearest] = marks;
  const exempting = marks.find(({ exempt_reason }) => exempt_reason !== null);
  const rules = await rulesOf(db, actor.firmId);
  const cover = (await coversOf(db, rules, actor.firmId, [id])).get(id)!;
  const file = item.type === 'file';
  const over = marksOf(rules, cover, dayInIndia(now));
  const shown =
    file || cover.exempt !== null
      ? over.map(({ of, ...mark }) => ({ ...mark, of }))
      : rulesIn(rules, cover.place | cover.client).map((of) => ({
          rule_id: of.id,
          rule: of.name,
          until: null,
          run_out: false,
          of,
        }));
  return {
    rules: shown.map(({ of: { source, months, counts_from }, ...mark }) => ({
      ...mark,
      source,
      months,
      counts_from,
    })),
    day: cover.said,
    own_day: nearest?.item_id === id && nearest.counts_from !== null,
    exempt_reason: exempting?.seen === 0 ? UNSEEN_REASON : cover.exempt,
    own_exemption: nearest?.item_id === id && nearest.exempt_reason !== null,
    set_by: nearest?.seen ? nearest.set_by : null,
    set_at: nearest?.seen ? nearest.set_at : null,
  };
}

/** Sets the day from which rules count for an item and its contents, or exempts them; recorded in the history. */
export async function mark(
  { db, clock, audit }: RetentionDependencies,
  actor: Actor,
  id: number,
  { counts_from, exempt_reason }: MarkItem,
): Promise<ItemRetention> {
  return db.transaction(async (trx) => {
    const item = await findItem(trx, actor, id, 'documents.read');
    if (!mayManage(actor)) throw forbidden();
    if ((await holdingUnseen(trx, actor, [id])).length > 0) throw forbidden(NOT_ALL_YOURS);
    const before = (await trx('retention_marks').where({ item_id: id }).first()) as Mark | undefined;
    const day = counts_from === undefined ? (before?.counts_from ?? null) : counts_from;
    const exempt = exempt_reason === undefined ? (before?.exempt_reason ?? null) : exempt_reason;
    if (day !== (before?.counts_from ?? null) || exempt !== (before?.exempt_reason ?? null)) {
      const now = clock().toISOString();
      const row = { item_id: id, firm_id: actor.firmId, counts_from: day, exempt_reason: exempt };
      if (day === null && exempt === null) await trx('retention_marks').where({ item_id: id }).delete();
      else
        await trx('retention_marks')
          .insert({ ...row, set_by: actor.userId, set_at: now })
          .onConflict('item_id')
          .merge();
      const record = (did: 'day' | 'exempt' | 'apply', detail: Record<string, unknown>) =>
        audit.record(trx, {
          actor,
          did: `retention.${did}`,
          subject: `item:${id}`,
          detail: { name: item.name, ...detail },
          concerns: { items: [id], parents: [item.parent_id] },
        });
      if (day !== (before?.counts_from ?? null))
        await record('day', { day: day ?? 'none', before: before?.counts_from ?? null });
      if (exempt !== (before?.exempt_reason ?? null))
        await record(exempt === null ? 'apply' : 'exempt', { reason: exempt ?? before!.exempt_reason });
    }
    return stateOf(trx, actor, id, clock());
  });
}

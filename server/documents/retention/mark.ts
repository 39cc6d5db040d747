import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { queryRow } from '#server/db/sql.ts';
import { forbidden } from '#server/http/errors.ts';
import { dayInIndia } from '#server/text/day-in-india.ts';
import { findItem } from '../rows.ts';
import type { ItemRetention, MarkItem } from './contract.ts';
import { coversOf, marksOf } from './cover.ts';
import { mayManage } from './policy.ts';
import { rulesIn, rulesOf } from './rules.ts';
import type { RetentionDependencies } from './service.ts';

/** A day or exemption that a user has entered for an item. */
interface Mark {
  item_id: number;
  counts_from: string | null;
  exempt_reason: string | null;
  set_by: string;
  set_at: string;
}

/** The mark of the item or of the nearest folder above that has one. */
const nearestMark = (db: Knex, id: number): Promise<Mark | undefined> =>
  queryRow(
    db,
    `WITH RECURSIVE up(id, parent_id, height) AS (
       SELECT id, parent_id, 0 FROM items WHERE id = ?
       UNION ALL
       SELECT i.id, i.parent_id, up.height + 1 FROM up CROSS JOIN items i ON i.id = up.parent_id
     ) SELECT m.item_id, m.counts_from, m.exempt_reason, who.name AS set_by, m.set_at
     FROM up CROSS JOIN retention_marks m ON m.item_id = up.id JOIN users who ON who.id = m.set_by
     ORDER BY up.height LIMIT 1`,
    [id],
  );

/** The rules, day and exemption that apply to an item. @throws {AppError} 404, 403. */
export async function stateOf(db: Knex, actor: Actor, id: number, now: Date): Promise<ItemRetention> {
  const item = await findItem(db, actor, id, 'documents.read');
  const nearest = await nearestMark(db, id);
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
    exempt_reason: cover.exempt,
    own_exemption: nearest?.item_id === id && nearest.exempt_reason !== null,
    set_by: nearest?.set_by ?? null,
    set_at: nearest?.set_at ?? null,
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

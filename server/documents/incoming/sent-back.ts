import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { bindList, boundIdRows, queryRows } from '#server/db/sql.ts';
import type { ItemView } from '../contract.ts';

/**
 * The arrival `a` was sent back to the client (binding: firm id). That ends when the line for which it was sent is accepted: nothing is
 * open any more, and no single file can be judged.
 */
const RETURNED = `a.judged = 'returned' AND a.superseded = 1 AND a.firm_id = ? AND NOT EXISTS (
  SELECT 1 FROM request_rows r
  WHERE r.id = a.slot AND r.state = 'accepted' AND a.door = 'request:' || r.request_id)`;

/** A condition on items: sent back (binding: firm id). */
export const IS_SENT_BACK = `id IN (SELECT a.item_id FROM arrivals a WHERE ${RETURNED})`;

/** Adds `sent_back` to the views of files that the office has sent back to the client who had sent them. */
export async function withSentBack<View extends ItemView>(
  db: Knex,
  { firmId }: Pick<Actor, 'firmId'>,
  views: View[],
): Promise<View[]> {
  if (views.length === 0) return views;
  const rows = await queryRows<{ id: number; reason: string | null }>(
    db,
    `SELECT a.item_id AS id, a.judged_reason AS reason FROM ${boundIdRows('wanted')}
     CROSS JOIN arrivals a ON a.item_id = wanted.value WHERE ${RETURNED}`,
    [bindList(views.map(({ id }) => id)), firmId],
  );
  if (rows.length === 0) return views;
  const reasons = new Map(rows.map(({ id, reason }) => [id, reason ?? '']));
  return views.map((view) => {
    const reason = reasons.get(view.id);
    return reason === undefined ? view : { ...view, sent_back: reason };
  });
}

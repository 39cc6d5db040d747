import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { AppError } from '#server/http/errors.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import { dayInWords } from '#server/text/day-in-india.ts';
import { sentence } from '#server/text/sentence.ts';
import { isVisibleClient } from '#server/visibility/visible.ts';

/** A condition on a client id, such as a `scope_client_id`: the client is under a legal hold. */
export const isUnderLegalHold = (client: string): string =>
  `${client} IN (SELECT client_id FROM legal_holds WHERE lifted_at IS NULL)`;

/**
 * A condition on rows `t` of `trash` joined with their items `i`: the item, or something deleted with it, belongs to a
 * client under a legal hold.
 */
export const LEGAL_HOLD_IN_TRASH = `(${isUnderLegalHold('i.scope_client_id')} OR (t.mixed = 1 AND EXISTS (
    SELECT 1 FROM hidden_items h CROSS JOIN item_rows x
    WHERE h.trash = t.item_id AND x.id = h.item_id AND ${isUnderLegalHold('x.scope_client_id')})))`;

/** A legal hold as a message names it; null: on a client that the reader does not see. */
export type NamedHold = { client: string; by: string; at: string; reason: string } | null;

const STAYS = 'Nothing of this client is deleted forever until the hold is lifted on the client’s page.';

/** `There is a legal hold on Mehta Traders, placed by Asha Rao on Apr 3, 2026: Notice. Nothing of this client …` */
export function legalHoldMessage(hold: NamedHold): string {
  if (hold === null) return `There is a legal hold on a client. ${STAYS}`;
  const { client, by, at, reason } = hold;
  return `There is a legal hold on ${client}, placed by ${by} on ${dayInWords(at)}: ${sentence(reason)} ${STAYS}`;
}

/** The error for deleting a live item for good. */
export const legalHoldError = (hold: NamedHold): AppError =>
  new AppError(422, 'held', legalHoldMessage(hold));

/** Live items with all they contain, or items in Trash with what was deleted with them, by client under a hold. */
const CLIENTS_HELD = {
  live: `WITH RECURSIVE below(top, id) AS (
       SELECT id, id FROM items WHERE id IN (${BOUND_IDS})
       UNION ALL
       SELECT below.top, i.id FROM below CROSS JOIN items i ON i.parent_id = below.id
     ), held(top, client) AS (
       SELECT DISTINCT below.top, x.scope_client_id FROM below CROSS JOIN items x ON x.id = below.id
       WHERE ${isUnderLegalHold('x.scope_client_id')}
     )`,
  trash: `WITH held(top, client) AS (
       SELECT DISTINCT h.trash, x.scope_client_id FROM hidden_items h CROSS JOIN item_rows x
       WHERE h.trash IN (${BOUND_IDS}) AND x.id = h.item_id AND ${isUnderLegalHold('x.scope_client_id')}
     )`,
};

/** The legal holds that keep the given items, or something in them, as the actor may know them; items without one are left out. */
export async function legalHoldsOver(
  db: Knex,
  actor: Actor,
  ids: Iterable<number>,
  where: keyof typeof CLIENTS_HELD = 'live',
): Promise<Map<number, NamedHold>> {
  if (!(await anyLegalHold(db, actor.firmId))) return new Map();
  const rows = await queryRows<Exclude<NamedHold, null> & { top: number; seen: number }>(
    db,
    `${CLIENTS_HELD[where]} SELECT held.top, c.name AS client, who.name AS by, l.placed_at AS at, l.reason,
       CASE WHEN ${isVisibleClient(actor, 'c') || '1 = 1'} THEN 1 ELSE 0 END AS seen
     FROM held JOIN clients c ON c.id = held.client JOIN legal_holds l ON l.client_id = c.id AND l.lifted_at IS NULL
     JOIN users who ON who.id = l.placed_by ORDER BY seen, l.id DESC`,
    [bindList(ids)],
  );
  // The last one of an item counts: the oldest hold among those that the actor sees.
  return new Map(rows.map(({ top, seen, ...hold }) => [top, seen === 1 ? hold : null]));
}

/** The clients of a firm that are under a legal hold. */
export const heldClients = async (
  db: Knex,
  firmId: number,
): Promise<ReadonlySet<number | null | undefined>> =>
  new Set(await db('legal_holds').where({ firm_id: firmId }).whereNull('lifted_at').pluck('client_id'));

const anyLegalHold = (db: Knex, firmId: number): Promise<unknown> =>
  db('legal_holds').where({ firm_id: firmId }).whereNull('lifted_at').first('id');

/** The given items that belong to a client under a legal hold, or contain such an item at any depth. */
export async function findUnderLegalHold(
  db: Knex,
  firmId: number,
  ids: Iterable<number>,
): Promise<ReadonlySet<number>> {
  if (!(await anyLegalHold(db, firmId))) return new Set();
  const rows = await queryRows<{ top: number }>(db, `${CLIENTS_HELD.live} SELECT DISTINCT top FROM held`, [
    bindList(ids),
  ]);
  return new Set(rows.map(({ top }) => top));
}

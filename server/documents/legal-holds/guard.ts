import type { Knex } from 'knex';
import { AppError } from '#server/http/errors.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';

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

export const UNDER_LEGAL_HOLD =
  'Documents of this client are under a legal hold: they stay in Trash until the hold is lifted on the client’s page.';
export const UNDER_LEGAL_HOLD_NO_TRASH =
  'Documents of this client are under a legal hold and cannot be deleted until it is lifted on the client’s page.';

/** The error for deleting a live item for good. */
export const legalHoldError = (): AppError => new AppError(422, 'held', UNDER_LEGAL_HOLD_NO_TRASH);

/** The given items that belong to a client under a legal hold, or contain such an item at any depth. */
export async function findUnderLegalHold(
  db: Knex,
  firmId: number,
  ids: Iterable<number>,
): Promise<ReadonlySet<number>> {
  if (!(await db('legal_holds').where({ firm_id: firmId }).whereNull('lifted_at').first('id')))
    return new Set();
  const rows = await queryRows<{ top: number }>(
    db,
    `WITH RECURSIVE held(top, id) AS (
       SELECT id, id FROM items WHERE id IN (${BOUND_IDS})
       UNION ALL
       SELECT held.top, i.id FROM held CROSS JOIN items i ON i.parent_id = held.id
     ) SELECT DISTINCT held.top FROM held CROSS JOIN items x ON x.id = held.id WHERE ${isUnderLegalHold('x.scope_client_id')}`,
    [bindList(ids)],
  );
  return new Set(rows.map(({ top }) => top));
}

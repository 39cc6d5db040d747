import type { Knex } from 'knex';
import { BOUND_IDS, bindList, queryRow, queryRows } from '#server/db/sql.ts';
import type { FirmViewer } from './visible.ts';
import { seesAll, visibleClientIds } from './visible.ts';

/**
 * A condition to append: the actor may know what is in a content. A locked PDF is read once for all of its copies. If its
 * password is that of one client's document, the copies stay locked for users who do not see that client, since portals
 * derive passwords from the client's data: neither the password nor pages, text or recognised values show it to them.
 * @param sha256 a column with the table that it is of. @returns '' for an actor who sees everything.
 */
export const andReadable = (actor: FirmViewer, sha256: string): string =>
  seesAll(actor)
    ? ''
    : ` AND NOT EXISTS (SELECT 1 FROM pdf_passwords locked WHERE locked.firm_id = ${Number(actor.firmId)} AND locked.sha256 = ${sha256}
         AND locked.for_client IS NOT NULL AND locked.for_client NOT IN (${visibleClientIds(actor)}))`;

/** Whether the actor may read this content; see `andReadable`. */
export async function isReadable(db: Knex, actor: FirmViewer, sha256: string): Promise<boolean> {
  if (seesAll(actor)) return true;
  const row = await queryRow<{ one: number }>(
    db,
    `SELECT 1 AS one FROM (SELECT CAST(? AS text) AS sha256) AS content WHERE true${andReadable(actor, 'content.sha256')}`,
    [sha256],
  );
  return row !== undefined;
}

/** The same for the contents of all of these items of the firm. */
export async function areReadable(db: Knex, actor: FirmViewer, ids: readonly number[]): Promise<boolean> {
  if (seesAll(actor)) return true;
  const rows = await queryRows<{ id: number }>(
    db,
    `SELECT i.id FROM items i WHERE i.id IN (${BOUND_IDS}) AND i.firm_id = ?${andReadable(actor, 'i.sha256')}`,
    [bindList(ids), actor.firmId],
  );
  return rows.length === new Set(ids).size;
}

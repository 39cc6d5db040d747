import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryRow, queryRows } from '#server/db/sql.ts';
import { AppError } from '#server/http/errors.ts';
import { dayInWords } from '#server/text/day-in-india.ts';
import { sentence } from '#server/text/sentence.ts';
import type { FirmViewer, Viewer } from '#server/visibility/visible.ts';
import { isVisible, seesAll } from '#server/visibility/visible.ts';
import type { SealMark } from './contract.ts';

// Services check seals with these functions and explain a refusal; database triggers refuse what a service overlooks.

/** SQL: the id of the seal over a row of `item_rows` or `items`; null without one. */
export const sealOver = (row: string): string =>
  `coalesce(${row}.sealed, (SELECT above.sealed FROM item_rows above WHERE above.id = ${row}.parent_id))`;

/** A condition: the viewer sees the item that the seal `s` was set on. */
export const seesSealed = (viewer: Viewer): string =>
  seesAll(viewer)
    ? '1 = 1'
    : `EXISTS (SELECT 1 FROM item_rows r WHERE r.id = s.item_id AND ${isVisible(viewer, 'r')})`;

/** The columns of a `SealMark`, from the seal `s` and the user `who` that set it. */
const markColumns = (viewer: Viewer): string =>
  `s.id, s.sealed_at AS at, who.name AS by, CASE WHEN ${seesSealed(viewer)} THEN s.item_id END AS item_id,
   CASE WHEN ${seesSealed(viewer)} THEN s.reason END AS reason`;

/** `Sealed by Asha Rao on Apr 3, 2026: Audit report signed.` */
export function sealSentence({ by, at, reason }: Omit<SealMark, 'id' | 'item_id'>): string {
  const why = reason === null ? '' : `: ${reason}`;
  return sentence(`Sealed by ${by} on ${dayInWords(at)}${why}`);
}

const STAYS = 'Nothing of it can be changed until an admin breaks the seal.';
export const sealedMessage = (seal: SealMark): string => `${sealSentence(seal)} ${STAYS}`;
export const holdsSealedMessage = (seal: SealMark & { name: string | null }): string =>
  `${seal.name === null ? 'Something in this folder is sealed.' : `"${seal.name}" in this folder is sealed.`} ${sealSentence(seal)}`;

/** The error for changing a sealed item. Not 409: to an upload client that means a wrong offset. */
export const sealedError = (
  seal: SealMark,
  field?: 'parent_id' | 'name' | 'client_id' | 'file',
): AppError => {
  const message = sealedMessage(seal);
  return new AppError(422, 'sealed', message, field && { errors: { [field]: [message] } });
};

/** The seals over the given items; items without one are left out. */
export async function sealsOver(
  db: Knex,
  viewer: Viewer,
  ids: Iterable<number>,
): Promise<Map<number, SealMark>> {
  const rows = await queryRows<SealMark & { covered: number }>(
    db,
    `SELECT one.covered, ${markColumns(viewer)}
     FROM (SELECT i.id AS covered, ${sealOver('i')} AS seal FROM items i WHERE i.id IN (${BOUND_IDS})) AS one
     CROSS JOIN seals s ON s.id = one.seal JOIN users who ON who.id = s.sealed_by`,
    [bindList(ids)],
  );
  return new Map(rows.map(({ covered, ...mark }) => [covered, mark]));
}

/** Checked before a change to a file's content. @throws {AppError} 422 `sealed`. */
export async function requireUnsealed(db: Knex, viewer: Viewer, id: number): Promise<void> {
  const seal = (await sealsOver(db, viewer, [id])).get(id);
  if (seal) throw sealedError(seal, 'file');
}

/** The seal over a folder, which refuses additions; null without one, and for 'My Drive'. */
export async function sealOfFolder(db: Knex, viewer: Viewer, id: number | null): Promise<SealMark | null> {
  if (id === null) return null;
  const mark = await queryRow<SealMark>(
    db,
    `SELECT ${markColumns(viewer)} FROM item_rows f CROSS JOIN seals s ON s.id = f.sealed
     JOIN users who ON who.id = s.sealed_by WHERE f.id = ?`,
    [id],
  );
  return mark ?? null;
}

/** A seal on an item inside a folder. `name` is null when the actor does not see that item. */
export type SealBelow = SealMark & { name: string | null; client: number };

/** The seals on items inside the given folders, at any depth; folders without any are left out. */
export async function sealsBelow(
  db: Knex,
  viewer: FirmViewer,
  ids: Iterable<number>,
): Promise<Map<number, SealBelow[]>> {
  // Walks from the seals up: a firm has fewer seals than a folder has items.
  const rows = await queryRows<SealBelow & { top: number }>(
    db,
    `WITH RECURSIVE up(seal, id) AS (
       SELECT s.id, i.parent_id FROM seals s CROSS JOIN item_rows i ON i.id = s.item_id
       WHERE s.firm_id = ? AND s.broken_at IS NULL
       UNION ALL
       SELECT up.seal, i.parent_id FROM up CROSS JOIN item_rows i ON i.id = up.id
     )
     SELECT up.id AS top, ${markColumns(viewer)}, CASE WHEN ${seesSealed(viewer)} THEN x.name END AS name,
       x.scope_client_id AS client
     FROM up CROSS JOIN seals s ON s.id = up.seal CROSS JOIN item_rows x ON x.id = s.item_id
     JOIN users who ON who.id = s.sealed_by
     WHERE up.id IN (${BOUND_IDS}) ORDER BY s.id`,
    [viewer.firmId, bindList(ids)],
  );
  const found = new Map<number, SealBelow[]>();
  for (const { top, ...seal } of rows) found.set(top, [...(found.get(top) ?? []), seal]);
  return found;
}

/** The seals over items of a client, each once. */
export async function sealsOfClient(
  db: Knex,
  actor: Actor,
  clientId: number,
): Promise<(SealMark & { name: string })[]> {
  return queryRows(
    db,
    `SELECT ${markColumns(actor)}, CASE WHEN ${seesSealed(actor)} THEN s.name ELSE '…' END AS name FROM seals s JOIN users who ON who.id = s.sealed_by
     WHERE s.id IN (
       SELECT f.sealed FROM item_rows f WHERE f.sealed IS NOT NULL AND f.scope_client_id = ?
       UNION
       SELECT p.sealed FROM item_rows f CROSS JOIN item_rows p ON p.id = f.parent_id
       WHERE f.client_id = ? AND p.sealed IS NOT NULL
     ) AND s.firm_id = ? AND s.broken_at IS NULL ORDER BY s.id`,
    [clientId, clientId, actor.firmId],
  );
}

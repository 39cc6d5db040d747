import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { AppError, conflict, missing } from '#server/http/errors.ts';
import { ago } from '#server/text/ago.ts';
import { EACH, list, queryRows } from '#server/db/sql.ts';
import type { Seen, SeenClient } from '../contract.ts';
import type { Writing } from './parts.ts';

/** An item as it is now. */
interface Present {
  id: number;
  name: string;
  /** The folder as the actor sees it. */
  seen_parent_id: number | null;
}

type Told = Pick<Writing, 'audit' | 'clock'>;

/** ` by Ravi Kumar a moment ago`. */
const by = ({ clock }: Told, { who, at }: { who: string | null; at: string }): string =>
  `${who === null ? '' : ` by ${who}`} ${ago(at, clock())}`;

const UNKNOWN = ' in the meantime';
const MY_DRIVE = 'My Drive';

/**
 * What a colleague has made of an item since the actor saw it last; null when it is as it was. What one does oneself,
 * perhaps in another tab, one knows.
 */
export async function changedSince(
  parts: Told,
  db: Knex,
  actor: Actor,
  item: Present,
  seen: Omit<Seen, 'id'> | undefined,
): Promise<string | null> {
  if (!seen) return null;
  const renamed = seen.name !== item.name;
  if (!renamed && seen.parent_id === item.seen_parent_id) return null;
  const last = await parts.audit.latest(db, actor, {
    kind: 'item',
    refs: [item.id],
    did: renamed ? ['document.rename', 'document.move', 'document.replace'] : ['document.move'],
  });
  if (last?.userId === actor.userId) return null;
  const who = last ? by(parts, last) : UNKNOWN;
  return renamed
    ? `Renamed to "${item.name}"${who}.`
    : `Moved to ${await folderName(db, item.seen_parent_id)}${who}.`;
}

/**
 * Items of those seen that colleagues have linked to another client since, or to none, and what is said of each. What has
 * become as it is wanted now is left out.
 */
export async function relinkedSince(
  parts: Told,
  db: Knex,
  actor: Actor,
  { seen, client_id }: { seen: readonly SeenClient[]; client_id: number | null },
): Promise<Map<number, string>> {
  const rows = await queryRows<{ id: number; client_id: number | null; name: string | null }>(
    db,
    `SELECT i.id, c.id AS client_id, c.name FROM items i LEFT JOIN clients c ON c.id = i.client_id AND c.firm_id = i.firm_id
     WHERE i.id IN (${EACH})`,
    [list(seen.map(({ id }) => id))],
  );
  const before = new Map(seen.map((one) => [one.id, one.client_id]));
  const told = new Map<number, string>();
  for (const now of rows) {
    if (now.client_id === before.get(now.id) || now.client_id === client_id) continue;
    const last = await parts.audit.latest(db, actor, {
      kind: 'item',
      refs: [now.id],
      did: ['document.client', 'document.move'],
    });
    if (last?.userId === actor.userId) continue;
    const who = last ? by(parts, last) : UNKNOWN;
    told.set(
      now.id,
      now.name === null ? `Unlinked from its client${who}.` : `Linked to "${now.name}"${who}.`,
    );
  }
  return told;
}

const folderName = async (db: Knex, id: number | null): Promise<string> =>
  id === null ? MY_DRIVE : `"${(await db('items').where({ id }).first('name'))?.name}"`;

/** @throws {AppError} 409 `item_changed`. `then` says what to do. */
export async function demandUnchanged(
  parts: Told,
  trx: Knex.Transaction,
  actor: Actor,
  item: Present,
  seen: Omit<Seen, 'id'> | undefined,
  then: string,
): Promise<void> {
  const what = await changedSince(parts, trx, actor, item, seen);
  if (what !== null) throw conflict(`${what} ${then}`, 'item_changed');
}

/** Who deleted an item that is no longer there; null where that is not known, or not for the actor to know. */
export async function deletedBy(parts: Told, db: Knex, actor: Actor, id: number): Promise<string | null> {
  // Hidden from the actor, and not deleted.
  if (await db('items').where({ id }).first('id')) return null;
  const rows = await queryRows<{ id: number }>(
    db,
    `WITH RECURSIVE up(id, parent_id) AS (
       SELECT id, parent_id FROM item_rows WHERE id = ? AND firm_id = ?
       UNION ALL
       SELECT r.id, r.parent_id FROM up JOIN item_rows r ON r.id = up.parent_id
     ) SELECT id FROM up`,
    [id, actor.firmId],
  );
  // With a folder goes what lies in it, which the history does not name.
  const refs = [id, ...rows.map((row) => row.id)];
  const last = await parts.audit.latest(db, actor, {
    kind: 'item',
    refs,
    did: ['document.trash', 'document.delete', 'document.delete_forever'],
  });
  return last && `Deleted${by(parts, last)}.`;
}

/** The refusal of what is about an item that is not there, with what became of it where that may be told. */
export async function goneError(
  parts: Told,
  db: Knex,
  actor: Actor,
  error: unknown,
  id: number,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.status !== 404) return error;
  const what = await deletedBy(parts, db, actor, id);
  return what === null ? error : missing(what);
}

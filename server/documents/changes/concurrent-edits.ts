import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { AppError, conflict, missing } from '#server/http/errors.ts';
import { ago } from '#server/text/ago.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';
import type { Seen, SeenClient } from '../contract.ts';
import type { ChangeDependencies } from './dependencies.ts';

/** The present state of an item. */
interface CurrentItem {
  id: number;
  name: string;
  /** The parent folder that the actor sees. */
  seen_parent_id: number | null;
}

/** What the actor saw of an item; without a name, only its folder counts. */
export type SeenState = Omit<Seen, 'id' | 'name'> & { name?: string };

type HistoryDependencies = Pick<ChangeDependencies, 'audit' | 'clock'>;

/** ` by Ravi Kumar a moment ago`. */
const byWhom = ({ clock }: HistoryDependencies, { who, at }: { who: string | null; at: string }): string =>
  `${who === null ? '' : ` by ${who}`} ${ago(at, clock())}`;

const UNKNOWN = ' in the meantime';
const MY_DRIVE = 'My Drive';

/**
 * A sentence that says how a colleague has changed an item since the actor saw it; null if it is unchanged, or if the
 * actor changed it, perhaps in another tab, unless the actor is undoing an earlier change of the same.
 */
export async function describeChange(
  dependencies: HistoryDependencies,
  db: Knex,
  actor: Actor,
  item: CurrentItem,
  seen: SeenState | undefined,
): Promise<string | null> {
  if (!seen) return null;
  const renamed = seen.name !== undefined && seen.name !== item.name;
  if (!renamed && seen.parent_id === item.seen_parent_id) return null;
  const last = await dependencies.audit.latest(db, actor, {
    kind: 'item',
    refs: [item.id],
    did: renamed ? ['document.rename', 'document.move', 'document.replace'] : ['document.move'],
  });
  // Undo would otherwise take back a later name or folder that the actor chose in another tab.
  const undone = seen.undoing && (renamed || seen.name === undefined);
  if (last?.userId === actor.userId && !undone) return null;
  const who = last ? byWhom(dependencies, last) : UNKNOWN;
  return renamed
    ? `Renamed to "${item.name}"${who}.`
    : `Moved to ${await folderName(db, item.seen_parent_id)}${who}.`;
}

/**
 * The items that colleagues have linked to another client (or none) since the actor saw them, with a sentence for each.
 * Items that already have the wanted client are left out, and those that the actor linked, unless in an undo.
 */
export async function describeRelinks(
  dependencies: HistoryDependencies,
  db: Knex,
  actor: Actor,
  { seen, client_id }: { seen: readonly SeenClient[]; client_id: number | null },
): Promise<Map<number, string>> {
  const rows = await queryRows<{ id: number; client_id: number | null; name: string | null }>(
    db,
    `SELECT i.id, c.id AS client_id, c.name FROM items i LEFT JOIN clients c ON c.id = i.client_id AND c.firm_id = i.firm_id
     WHERE i.id IN (${BOUND_IDS})`,
    [bindList(seen.map(({ id }) => id))],
  );
  const before = new Map(seen.map((item) => [item.id, item]));
  const sentences = new Map<number, string>();
  for (const now of rows) {
    const then = before.get(now.id)!;
    if (now.client_id === then.client_id || now.client_id === client_id) continue;
    const last = await dependencies.audit.latest(db, actor, {
      kind: 'item',
      refs: [now.id],
      did: ['document.client', 'document.move'],
    });
    if (last?.userId === actor.userId && !then.undoing) continue;
    const who = last ? byWhom(dependencies, last) : UNKNOWN;
    sentences.set(
      now.id,
      now.name === null ? `Unlinked from its client${who}.` : `Linked to "${now.name}"${who}.`,
    );
  }
  return sentences;
}

const folderName = async (db: Knex, id: number | null): Promise<string> =>
  id === null ? MY_DRIVE : `"${(await db('items').where({ id }).first('name'))?.name}"`;

/** @param then appended to the message: what the user can do. @throws {AppError} 409 `item_changed`. */
export async function requireUnchanged(
  dependencies: HistoryDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  item: CurrentItem,
  seen: Omit<Seen, 'id'> | undefined,
  then: string,
): Promise<void> {
  const sentence = await describeChange(dependencies, trx, actor, item, seen);
  if (sentence !== null) throw conflict(`${sentence} ${then}`, 'item_changed');
}

/** A sentence that says who deleted an item; null if unknown, or if the actor may not know. */
export async function describeDeletion(
  dependencies: HistoryDependencies,
  db: Knex,
  actor: Actor,
  id: number,
): Promise<string | null> {
  // The item exists, but the actor does not see it.
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
  // A deleted folder takes its contents along; the history names only the folder.
  const refs = [id, ...rows.map((row) => row.id)];
  const last = await dependencies.audit.latest(db, actor, {
    kind: 'item',
    refs,
    did: ['document.trash', 'document.delete', 'document.delete_forever'],
  });
  return last && `Deleted${byWhom(dependencies, last)}.`;
}

/** Adds to a 404 error who deleted the item, if the actor may know. */
export async function goneError(
  dependencies: HistoryDependencies,
  db: Knex,
  actor: Actor,
  error: unknown,
  id: number,
): Promise<unknown> {
  if (!(error instanceof AppError) || error.status !== 404) return error;
  const sentence = await describeDeletion(dependencies, db, actor, id);
  return sentence === null ? error : missing(sentence);
}

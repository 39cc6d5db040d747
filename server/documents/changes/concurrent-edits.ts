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
 * The items that colleagues have changed since the actor saw them, with a sentence for each. Those that the actor changed, perhaps in
 * another tab, are left out, unless the actor is undoing an earlier change of the same.
 */
export async function describeChanges(
  dependencies: HistoryDependencies,
  db: Knex,
  actor: Actor,
  items: readonly { item: CurrentItem; seen: SeenState }[],
): Promise<Map<number, string>> {
  const isRenamed = ({ item, seen }: (typeof items)[number]) =>
    seen.name !== undefined && seen.name !== item.name;
  const latest = (some: typeof items, did: readonly string[]) =>
    dependencies.audit.latestOfItems(db, actor, { items: some.map(({ item }) => item.id), did });
  const renamed = items.filter(isRenamed);
  const moved = items.filter((one) => !isRenamed(one) && one.seen.parent_id !== one.item.seen_parent_id);
  const last = new Map([
    ...(await latest(renamed, ['document.rename', 'document.move', 'document.replace'])),
    ...(await latest(moved, ['document.move'])),
  ]);
  // Undo would otherwise take back a later name or folder that the actor chose in another tab.
  const isTold = ({ item, seen }: (typeof items)[number]) =>
    last.get(item.id)?.userId !== actor.userId ||
    (seen.undoing && (seen.name === undefined || isRenamed({ item, seen })));
  const folders = await folderNames(
    db,
    moved.map(({ item }) => item.seen_parent_id),
  );
  const who = (id: number) => (last.has(id) ? byWhom(dependencies, last.get(id)!) : UNKNOWN);
  return new Map([
    ...renamed
      .filter(isTold)
      .map(({ item: { id, name } }) => [id, `Renamed to "${name}"${who(id)}.`] as const),
    ...moved
      .filter(isTold)
      .map(({ item }) => [item.id, `Moved to ${folders(item.seen_parent_id)}${who(item.id)}.`] as const),
  ]);
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
  const relinked = rows.filter(
    (now) => now.client_id !== before.get(now.id)!.client_id && now.client_id !== client_id,
  );
  const latest = await dependencies.audit.latestOfItems(db, actor, {
    items: relinked.map(({ id }) => id),
    did: ['document.client', 'document.move'],
  });
  const sentences = new Map<number, string>();
  for (const now of relinked) {
    const last = latest.get(now.id);
    if (last?.userId === actor.userId && !before.get(now.id)!.undoing) continue;
    const who = last ? byWhom(dependencies, last) : UNKNOWN;
    sentences.set(
      now.id,
      now.name === null ? `Unlinked from its client${who}.` : `Linked to "${now.name}"${who}.`,
    );
  }
  return sentences;
}

/** How sentences name these folders. */
async function folderNames(
  db: Knex,
  ids: readonly (number | null)[],
): Promise<(id: number | null) => string> {
  const rows = await queryRows<{ id: number; name: string }>(
    db,
    `SELECT id, name FROM items WHERE id IN (${BOUND_IDS})`,
    [bindList([...new Set(ids)].filter((id) => id !== null))],
  );
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return (id) => (id === null ? MY_DRIVE : `"${names.get(id)}"`);
}

/** @param then appended to the message: what the user can do. @throws {AppError} 409 `item_changed`. */
export async function requireUnchanged(
  dependencies: HistoryDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  item: CurrentItem,
  seen: Omit<Seen, 'id'> | undefined,
  then: string,
): Promise<void> {
  if (!seen) return;
  const sentence = (await describeChanges(dependencies, trx, actor, [{ item, seen }])).get(item.id);
  if (sentence !== undefined) throw conflict(`${sentence} ${then}`, 'item_changed');
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

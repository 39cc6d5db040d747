import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { BulkResult, Staying } from '../contract.ts';
import { hide } from '#server/records/hidden.ts';
import { putInTrash } from '../trash/move-to-trash.ts';
import { ofFirm } from '../rows.ts';
import { EACH, list, placeholders, queryRows } from '../../db/sql.ts';
import * as usage from '../../records/usage.ts';
import type { Seen } from '../contract.ts';
import { changedSince, deletedBy } from './concurrent-edits.ts';
import type { Writing } from './parts.ts';
import { HELD_NO_TRASH, heldAmong } from '../holds/guard.ts';
import { keptAmong, keptMessage } from '../retention/guard.ts';
import { holdsSealedMessage, sealedMessage, sealsBelow, sealsOver } from '../seals/guard.ts';
import { andVisible, isVisible, seesAll, visibleParent } from '#server/visibility/visible.ts';

type Told = Pick<Writing, 'audit' | 'clock'>;

/** Of so many missing items it is looked up what became of them. */
const EXPLAINED = 20;
export const NO_ITEM = 'This item does not exist.';

/** Of these ids, the items that the actor sees, each once, in the order asked for; and the rest as failures. */
export async function ownItems(
  db: Knex,
  actor: Actor,
  ids: readonly number[],
): Promise<{ items: Map<number, OwnItem>; failed: BulkResult['failed'] }> {
  const asked = [...new Set(ids)];
  const rows = await queryRows<OwnItem>(
    db,
    `SELECT id, parent_id, ${visibleParent(actor)} AS seen_parent_id, type, name, name_key FROM items
     WHERE id IN (${placeholders(asked)}) AND ${ofFirm('items')}${andVisible(actor)}`,
    [...asked, actor.firmId],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  const items = new Map(asked.flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : [])));
  const missing = asked.filter((id) => !known.has(id));
  return { items, failed: missing.map((id) => ({ id, name: null, message: NO_ITEM })) };
}

/**
 * As `ownItems`, for a change: says of those that are not there, and of those that colleagues have changed, what happened,
 * and leaves out what is sealed.
 */
export async function unchangedItems(
  parts: Told,
  trx: Knex.Transaction,
  actor: Actor,
  { ids, seen = [] }: { ids: readonly number[]; seen?: readonly Seen[] | undefined },
  then = '',
): ReturnType<typeof ownItems> {
  const { items, failed } = await ownItems(trx, actor, ids);
  // Who has chosen many reads of the first few.
  for (const one of failed.slice(0, EXPLAINED))
    one.message = (await deletedBy(parts, trx, actor, one.id)) ?? one.message;
  for (const one of seen) {
    const item = items.get(one.id);
    const what = item && (await changedSince(parts, trx, actor, item, one));
    if (!item || !what) continue;
    items.delete(item.id);
    failed.push({ id: item.id, name: item.name, message: `${what} ${then}`, code: 'changed' });
  }
  await leaveSealed(trx, actor, items, failed);
  return { items, failed };
}

async function leaveSealed(
  db: Knex,
  actor: Actor,
  items: Map<number, OwnItem>,
  failed: BulkResult['failed'],
): Promise<void> {
  for (const [id, seal] of await sealsOver(db, actor, items.keys())) {
    failed.push({ id, name: items.get(id)!.name, message: sealedMessage(seal), code: 'sealed' });
    items.delete(id);
  }
}

/** Takes the folders in which something is sealed out of what is about to be moved or deleted, and says why. */
export async function keepSealed(
  db: Knex,
  actor: Actor,
  items: Map<number, OwnItem>,
  failed: BulkResult['failed'],
): Promise<void> {
  for (const [id, [seal]] of await sealsBelow(db, actor, items.keys())) {
    failed.push({ id, name: items.get(id)!.name, message: holdsSealedMessage(seal!), code: 'sealed' });
    items.delete(id);
  }
}

export interface OwnItem {
  id: number;
  parent_id: number | null;
  /** The folder as the actor sees it. */
  seen_parent_id: number | null;
  type: string;
  name: string;
  name_key: string;
}

/** An audit line names what was chosen, up to what a reader would read. */
export const NAMED = 100;

const AGAIN = 'Delete it again if it is no longer needed.';
const NOT_ALL_YOURS = 'This folder cannot be deleted by you. Ask an admin to delete it.';

/** Of these, the folders that hold something, however deep, that the actor does not see. */
export async function holdingUnseen(db: Knex, actor: Actor, ids: readonly number[]): Promise<number[]> {
  if (seesAll(actor) || ids.length === 0) return [];
  const rows = await queryRows<{ top: number }>(
    db,
    `WITH RECURSIVE held(top, id) AS (
       SELECT id, id FROM items WHERE id IN (${EACH})
       UNION ALL
       SELECT held.top, i.id FROM held CROSS JOIN items i WHERE i.parent_id = held.id
     ) SELECT DISTINCT held.top FROM held CROSS JOIN items i WHERE i.id = held.id AND NOT (${isVisible(actor, 'i')})`,
    [list(ids)],
  );
  return rows.map(({ top }) => top);
}

/**
 * Takes out of what is about to be deleted what has to stay, and says why.
 * @returns what a legal hold keeps from being deleted for good.
 */
async function keepBack(
  { clock, trashDays }: Pick<Writing, 'clock' | 'trashDays'>,
  db: Knex,
  actor: Actor,
  { items, failed }: Awaited<ReturnType<typeof ownItems>>,
  forGood: boolean,
): Promise<ReadonlySet<number>> {
  for (const id of await holdingUnseen(db, actor, [...items.keys()])) {
    failed.push({ id, name: items.get(id)!.name, message: NOT_ALL_YOURS });
    items.delete(id);
  }
  await keepSealed(db, actor, items, failed);
  for (const [id, keeping] of await keptAmong(db, actor.firmId, items.keys(), clock())) {
    failed.push({ id, name: items.get(id)!.name, message: keptMessage(keeping), code: 'kept' });
    items.delete(id);
  }
  const held = forGood ? await heldAmong(db, actor.firmId, items.keys()) : new Set<number>();
  // Where there is no Trash it could wait in, it stays where it is.
  for (const id of trashDays === 0 ? held : []) {
    failed.push({ id, name: items.get(id)!.name, message: HELD_NO_TRASH, code: 'held' });
    items.delete(id);
  }
  return held;
}

const NAMED_STAYING = 20;
/** What the asker is told of failures that are known before. What is not there any more is told when it is tried. */
export const toStaying = (failed: BulkResult['failed']): Staying => {
  const named = failed.flatMap(({ id, name, message }) => (name === null ? [] : { id, name, message }));
  return { count: named.length, named: named.slice(0, NAMED_STAYING) };
};

/** What `removeItems` would leave where it is, and why; nothing is changed. */
export async function previewRemoval(
  parts: Pick<Writing, 'db' | 'clock' | 'trashDays'>,
  actor: Actor,
  ids: readonly number[],
): Promise<Staying> {
  const { items, failed } = await ownItems(parts.db, actor, ids);
  await leaveSealed(parts.db, actor, items, failed);
  await keepBack(parts, parts.db, actor, { items, failed }, parts.trashDays === 0);
  return toStaying(failed);
}

const DAY = 24 * 60 * 60_000;

/**
 * Takes the items and everything below them away, at once however many they are: to Trash, or for good, which is left to
 * the sweep.
 */
export async function removeItems(
  parts: Told & Pick<Writing, 'trashDays'>,
  trx: Knex.Transaction,
  actor: Actor,
  chosen: { ids: readonly number[]; seen?: readonly Seen[] },
  { forGood = parts.trashDays === 0 } = {},
): Promise<BulkResult> {
  const { audit, clock, trashDays } = parts;
  const { items, failed } = await unchangedItems(parts, trx, actor, chosen, AGAIN);
  const held = await keepBack(parts, trx, actor, { items, failed }, forGood);
  const done = [...items.keys()];
  if (done.length === 0) return { done, failed };
  const now = clock();
  const purgeAt = new Date(now.getTime() + trashDays * DAY);
  const gone = forGood && (trashDays === 0 || held.size === 0);
  const weight = gone
    ? await deleteForGood(trx, actor, done)
    : await putInTrash(trx, actor, done, { now, purgeAt });
  await audit.record(trx, {
    actor,
    did: gone ? 'document.delete' : 'document.trash',
    concerns: {
      items: done,
      parents: [...new Set(Array.from(items.values(), ({ parent_id }) => parent_id))],
    },
    subject: done.length === 1 ? `item:${done[0]}` : undefined,
    detail: {
      chosen: done.length,
      ids: done.slice(0, NAMED),
      names: [...items.values()].slice(0, NAMED).map(({ name }) => name),
      files: weight.reduce((sum, { file_type, files }) => sum + (file_type === '' ? 0 : files), 0),
      bytes: weight.reduce((sum, { bytes }) => sum + bytes, 0),
    },
  });
  return { done, failed };
}

/** Takes items and all they hold away without Trash; what is left of them is the sweep's. */
export async function deleteForGood(
  trx: Knex.Transaction,
  { firmId }: Pick<Actor, 'firmId'>,
  ids: readonly number[],
): Promise<usage.TypeTotal[]> {
  const weight = await usage.weigh(trx, ids);
  for (const { file_type, files, bytes } of weight) {
    if (file_type !== '') await usage.count(trx, firmId, { file_type, files: -files, bytes: -bytes });
  }
  await hide(trx, ids);
  return weight;
}

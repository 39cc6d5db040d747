import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { BulkResult, DeletionPreview, ItemType } from '../contract.ts';
import { hide } from '#server/records/hidden.ts';
import { putInTrash } from '../trash/move-to-trash.ts';
import { ofFirm } from '../rows.ts';
import { placeholders, queryRows } from '../../db/sql.ts';
import * as usage from '../../records/usage.ts';
import type { Seen } from '../contract.ts';
import type { SeenState } from './concurrent-edits.ts';
import { describeChanges, describeDeletion } from './concurrent-edits.ts';
import type { ChangeDependencies } from './dependencies.ts';
import type { NamedHold } from '../legal-holds/guard.ts';
import { legalHoldMessage, legalHoldsOver } from '../legal-holds/guard.ts';
import { holdingUnseen } from '../holding-unseen.ts';
import { keptAmong, keptMessage } from '../retention/guard.ts';
import { holdsSealedMessage, sealedMessage, sealsBelow, sealsOver } from '../seals/guard.ts';
import { andVisible, visibleParent } from '#server/visibility/visible.ts';
import { NO_ITEM } from '#server/text/not-there.ts';

type HistoryDependencies = Pick<ChangeDependencies, 'audit' | 'clock'>;

/** For so many missing items the message says who deleted them; each costs a query of the history. */
const MAX_EXPLAINED = 20;

/** Splits ids into the items that the actor sees, in the order of the ids without duplicates, and failures. */
export async function findItems(
  db: Knex,
  actor: Actor,
  ids: readonly number[],
): Promise<{ items: Map<number, ChosenItem>; failed: BulkResult['failed'] }> {
  const uniqueIds = [...new Set(ids)];
  const rows = await queryRows<ChosenItem>(
    db,
    `SELECT id, parent_id, ${visibleParent(actor)} AS seen_parent_id, type, file_type, name, name_key FROM items
     WHERE id IN (${placeholders(uniqueIds)}) AND ${ofFirm('items')}${andVisible(actor)}`,
    [...uniqueIds, actor.firmId],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  const items = new Map(uniqueIds.flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : [])));
  const missing = uniqueIds.filter((id) => !known.has(id));
  return { items, failed: missing.map((id) => ({ id, name: null, message: NO_ITEM })) };
}

/**
 * `findItems` for a change: also fails items that a colleague has changed since they were seen, and sealed items. For
 * missing items the message says who deleted them.
 * @param isWanted whether an item is what the change would make of it.
 */
export async function findUnchangedItems(
  dependencies: HistoryDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { ids, seen = [] }: { ids: readonly number[]; seen?: readonly (SeenState & { id: number })[] | undefined },
  then = '',
  isWanted: (item: ChosenItem) => boolean = () => false,
): ReturnType<typeof findItems> {
  const { items, failed } = await findItems(trx, actor, ids);
  // Each message costs a query, and a reader of many failures reads the first few.
  for (const failure of failed.slice(0, MAX_EXPLAINED))
    failure.message = (await describeDeletion(dependencies, trx, actor, failure.id)) ?? failure.message;
  const compared = seen.flatMap((seenItem) => {
    const item = items.get(seenItem.id);
    return item && !isWanted(item) ? { item, seen: seenItem } : [];
  });
  for (const [id, what] of await describeChanges(dependencies, trx, actor, compared)) {
    failed.push({ id, name: items.get(id)!.name, message: `${what} ${then}`, code: 'changed' });
    items.delete(id);
  }
  await failSealed(trx, actor, items, failed);
  return { items, failed };
}

async function failSealed(
  db: Knex,
  actor: Actor,
  items: Map<number, ChosenItem>,
  failed: BulkResult['failed'],
): Promise<void> {
  for (const [id, seal] of await sealsOver(db, actor, items.keys())) {
    failed.push({ id, name: items.get(id)!.name, message: sealedMessage(seal), code: 'sealed' });
    items.delete(id);
  }
}

/** Fails the folders that contain something sealed; they can be neither moved nor deleted. */
export async function failHoldingSealed(
  db: Knex,
  actor: Actor,
  items: Map<number, ChosenItem>,
  failed: BulkResult['failed'],
): Promise<void> {
  for (const [id, [seal]] of await sealsBelow(db, actor, items.keys())) {
    failed.push({ id, name: items.get(id)!.name, message: holdsSealedMessage(seal!), code: 'sealed' });
    items.delete(id);
  }
}

export interface ChosenItem {
  id: number;
  parent_id: number | null;
  /** The parent folder that the actor sees. */
  seen_parent_id: number | null;
  type: ItemType;
  file_type: string | null;
  name: string;
  name_key: string;
}

/** Maximum number of items that a history entry names. */
export const MAX_NAMED = 100;

const AGAIN = 'Delete it again if it is no longer needed.';
const NOT_ALL_YOURS = 'This folder cannot be deleted by you. Ask an admin to delete it.';

/**
 * Fails the items that may not be deleted.
 * @returns the items under a legal hold: they go to Trash instead of being deleted for good.
 */
async function failUndeletable(
  { clock, trashDays }: Pick<ChangeDependencies, 'clock' | 'trashDays'>,
  db: Knex,
  actor: Actor,
  { items, failed }: Awaited<ReturnType<typeof findItems>>,
  forGood: boolean,
): Promise<ReadonlyMap<number, NamedHold>> {
  for (const id of await holdingUnseen(db, actor, [...items.keys()])) {
    failed.push({ id, name: items.get(id)!.name, message: NOT_ALL_YOURS });
    items.delete(id);
  }
  await failHoldingSealed(db, actor, items, failed);
  for (const [id, keeping] of await keptAmong(db, actor.firmId, items.keys(), clock())) {
    failed.push({ id, name: items.get(id)!.name, message: keptMessage(keeping), code: 'kept' });
    items.delete(id);
  }
  const held = forGood ? await legalHoldsOver(db, actor, items.keys()) : new Map<number, NamedHold>();
  // Without Trash, an item under a legal hold cannot be deleted at all.
  for (const [id, hold] of trashDays === 0 ? held : []) {
    failed.push({ id, name: items.get(id)!.name, message: legalHoldMessage(hold), code: 'held' });
    items.delete(id);
  }
  return held;
}

const MAX_PREVIEWED = 20;
/** Failures for a preview. Missing items are left out; the deletion itself reports them. */
const previewed = (failed: BulkResult['failed']) => {
  const named = failed.flatMap(({ id, name, message }) => (name === null ? [] : { id, name, message }));
  return { count: named.length, named: named.slice(0, MAX_PREVIEWED) };
};
export const toDeletionPreview = (
  failed: BulkResult['failed'],
  held: BulkResult['failed'] = [],
): DeletionPreview => ({ ...previewed(failed), held: previewed(held) });

/** The items that `removeItems` would not delete, or that a legal hold would keep in Trash, and why. */
export async function previewRemoval(
  dependencies: Pick<ChangeDependencies, 'db' | 'clock' | 'trashDays'>,
  actor: Actor,
  ids: readonly number[],
): Promise<DeletionPreview> {
  const { items, failed } = await findItems(dependencies.db, actor, ids);
  await failSealed(dependencies.db, actor, items, failed);
  const holds = await failUndeletable(dependencies, dependencies.db, actor, { items, failed }, true);
  const held = [...items.values()].flatMap(({ id, name }) => {
    const hold = holds.get(id);
    return hold === undefined ? [] : { id, name, message: legalHoldMessage(hold) };
  });
  return toDeletionPreview(failed, held);
}

const DAY_MS = 24 * 60 * 60_000;

/**
 * Deletes items with all they contain: to Trash, or for good, in which case the sweep removes the rows. The time does not
 * depend on how many they are.
 */
export async function removeItems(
  dependencies: HistoryDependencies & Pick<ChangeDependencies, 'trashDays'>,
  trx: Knex.Transaction,
  actor: Actor,
  chosen: { ids: readonly number[]; seen?: readonly Seen[] },
  { forGood = dependencies.trashDays === 0 } = {},
): Promise<BulkResult> {
  const { audit, clock, trashDays } = dependencies;
  const { items, failed } = await findUnchangedItems(dependencies, trx, actor, chosen, AGAIN);
  const held = await failUndeletable(dependencies, trx, actor, { items, failed }, forGood);
  const done = [...items.keys()];
  if (done.length === 0) return { done, failed };
  const now = clock();
  const purgeAt = new Date(now.getTime() + trashDays * DAY_MS);
  const gone = forGood && (trashDays === 0 || held.size === 0);
  const weight = gone
    ? await deleteWithoutTrash(trx, done)
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
      ids: done.slice(0, MAX_NAMED),
      names: [...items.values()].slice(0, MAX_NAMED).map(({ name }) => name),
      files: weight.reduce((sum, { file_type, files }) => sum + (file_type === '' ? 0 : files), 0),
      bytes: weight.reduce((sum, { bytes }) => sum + bytes, 0),
    },
  });
  return { done, failed };
}

/** Deletes items with all they contain, bypassing Trash. The sweep removes the rows. */
export async function deleteWithoutTrash(
  trx: Knex.Transaction,
  ids: readonly number[],
): Promise<usage.TypeTotal[]> {
  const weight = await usage.weigh(trx, ids);
  await hide(trx, ids);
  return weight;
}

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { queryRows } from '../../db/sql.ts';
import { nameKey } from '../../text/file-names.ts';
import type { BulkResult, UndoMove } from '../contract.ts';
import { heldClients } from '../legal-holds/guard.ts';
import { Item } from '../model.ts';
import { below } from '../tree.ts';
import { describeRelinks } from './concurrent-edits.ts';
import { moveItems, placesTaken } from './move.ts';
import { findItems } from './remove.ts';
import { renameItem } from './rename.ts';
import type { LinkingDependencies } from './set-client.ts';
import { STAYS, setClientOfItems } from './set-client.ts';

const HELD = 'It was moved back, but stays linked to its client, which is under a legal hold.';

/** Items per call, of which SQLite limits the bindings. */
const BATCH = 1000;

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH);
}

/**
 * Undoes a move: items return to their former folders, names and clients. Where a name is taken meanwhile, the item gets a
 * number; where somebody gave an item another name, folder or client meanwhile, it keeps that, and so it does a client under a hold.
 * What cannot return keeps its client too.
 * @throws {AppError} 422 on `parent_id`, `client_id`, `kept`.
 */
export async function moveBack(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { moved, former }: Pick<UndoMove, 'moved' | 'former'>,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], failed: [] };
  /** The names that items have now, where the move or its undo gave them one. */
  const numbered = new Map<number, string>();
  const keeping = [
    ...(await relinkedSince(dependencies, trx, actor, former)),
    ...(await heldByClient(trx, actor, former)),
  ];
  for (const [parent_id, places] of Map.groupBy(moved, (place) => place.parent_id))
    for (const some of batches(places)) {
      const ids = some.map(({ id }) => id);
      const seen = some.flatMap(({ id, to }) =>
        to === undefined ? [] : { id, parent_id: to, undoing: true },
      );
      const back = await moveItems(dependencies, trx, actor, { ids, parent_id, seen, conflicts: 'keep' });
      result.done.push(...back.done);
      result.failed.push(...back.failed);
      for (const { id, renamed } of back.moved) if (renamed) numbered.set(id, renamed.to);
    }
  const back = new Set(result.done);
  for (const place of moved)
    if (back.has(place.id)) await giveFormerName(dependencies, trx, actor, place, numbered.get(place.id));
  const staying = await withContents(
    trx,
    result.failed.map(({ id }) => id),
  );
  for (const failure of keeping) {
    if (!staying.has(failure.id)) result.failed.push(failure);
    staying.add(failure.id);
  }
  const returning = former.filter(({ id }) => !staying.has(id));
  for (const [client_id, items] of Map.groupBy(returning, (item) => item.client_id))
    for (const some of batches(items)) {
      const ids = some.map(({ id }) => id);
      const request = { ids, client_id, contents: 'none' as const };
      const linked = await setClientOfItems(dependencies, trx, actor, request);
      // The move has reported missing items.
      result.failed.push(...linked.failed.filter(({ name }) => name !== null));
    }
  return result;
}

/** The items that were linked to another client since the move. */
async function relinkedSince(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  former: UndoMove['former'],
): Promise<BulkResult['failed']> {
  const failed: BulkResult['failed'] = [];
  for (const [client_id, items] of Map.groupBy(former, (item) => item.client_id)) {
    const seen = items.flatMap(({ id, to }) =>
      to === undefined ? [] : { id, client_id: to, undoing: true },
    );
    const changes = await describeRelinks(dependencies, trx, actor, { seen, client_id });
    for (const ids of batches([...changes.keys()]))
      for (const [id, { name }] of (await findItems(trx, actor, ids)).items)
        failed.push({ id, name, message: `${changes.get(id)!} ${STAYS}`, code: 'changed' });
  }
  return failed;
}

/** The items that the move has linked to a client under a legal hold, which they cannot leave. */
async function heldByClient(
  trx: Knex.Transaction,
  actor: Actor,
  former: UndoMove['former'],
): Promise<BulkResult['failed']> {
  const held = await heldClients(trx, actor.firmId);
  const failed: BulkResult['failed'] = [];
  for (const some of batches(former.filter(({ to }) => held.has(to))))
    for (const [id, { name }] of (
      await findItems(
        trx,
        actor,
        some.map((item) => item.id),
      )
    ).items)
      failed.push({ id, name, message: HELD, code: 'held' });
  return failed;
}

/** The folders with all that is in them. */
async function withContents(trx: Knex.Transaction, ids: readonly number[]): Promise<Set<number>> {
  const tree = below(ids);
  const rows =
    ids.length === 0
      ? []
      : await queryRows<{ id: number }>(trx, `${tree.sql} SELECT id FROM below`, tree.bindings);
  return new Set(rows.map(({ id }) => id));
}

async function giveFormerName(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { id, renamed }: UndoMove['moved'][number],
  number: string | undefined,
): Promise<void> {
  if (!renamed) return;
  const item = await Item.query(trx).findById(id).where({ firm_id: actor.firmId });
  if (!item || (item.name !== renamed.to && item.name !== number)) return;
  const { taken } = await placesTaken(trx, actor, [
    { parent_id: item.parent_id, name_key: nameKey(renamed.from) },
  ]);
  if (taken.size === 0) await renameItem(dependencies, trx, actor, id, { name: renamed.from });
}

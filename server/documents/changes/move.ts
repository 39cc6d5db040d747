import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { invalid } from '#server/http/errors.ts';
import { NO_FOLDER } from '#server/text/not-there.ts';
import { UNUSABLE_NAME, freeName } from './insert-item.ts';
import { isVisible, seesAll, UNRESTRICTED } from '#server/visibility/visible.ts';
import type { FormerPlace, MoveConflict, MoveResult } from '../contract.ts';
import type { SeenState } from './concurrent-edits.ts';
import { describeDeletion } from './concurrent-edits.ts';
import type { LinkingDependencies } from './set-client.ts';
import { requireStillSeen, linkToClient } from './set-client.ts';
import { nameKey } from '../../text/file-names.ts';
import { sortKey } from '../../text/sort-key.ts';
import { clientOf, findHeldBack, targetFolder, withoutOwnClient } from './moved-clients.ts';
import type { MoveOutcome } from './merge-moved.ts';
import { addOutcome, mergeIntoNamesake, nothingMoved, removeEmptied } from './merge-moved.ts';
import type { ChosenItem } from './remove.ts';
import { MAX_NAMED, failHoldingSealed, findUnchangedItems } from './remove.ts';
import { setAsideReplaced } from './set-aside.ts';
import { requireStillKept, rulesOver } from '../retention/guard.ts';
import { sealOfFolder, sealedError, sealedMessage, sealsOver } from '../seals/guard.ts';
import {
  boundTupleRows,
  execute,
  bindList,
  numberOf,
  placeholders,
  queryRows,
  textOf,
} from '../../db/sql.ts';
import { SEPARATOR, breadcrumbs, paths } from '../tree.ts';
import { searchIndex } from '#server/search/index.ts';

/** Without `conflicts`, an item whose name is taken in the target is not moved, and with `ask` nor are the others. */
export interface MoveRequest {
  ids: readonly number[];
  parent_id: number | null;
  conflicts?: MoveConflict | undefined;
  ask?: boolean | undefined;
  seen?: readonly (SeenState & { id: number })[];
}

const AGAIN = 'Move it again if it should still go there.';
const STAYS = 'It stays there.';
const HELD =
  'It belongs to a client under a legal hold and stays with that client until the hold is lifted on the client’s page.';
const INTO_ITSELF = 'A folder cannot be moved into itself or into a folder inside it.';
export const takenThere = (name: string) => `An item named "${name}" is already there.`;

/**
 * Moves the items that can be moved, and returns the reason for the others. Moved items without a client of their own
 * are linked to the client of the target folder.
 * @throws {AppError} 422 on `parent_id` if the target is not a folder of the firm.
 */
export async function moveItems(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  request: MoveRequest,
): Promise<MoveResult> {
  const { emptied, ...result } = await moveAndMerge(dependencies, trx, actor, request);
  const removed = await removeEmptied(dependencies, trx, actor, emptied);
  const chosen = new Set(request.ids);
  result.done.push(...removed.done.filter((id) => chosen.has(id)));
  result.failed.push(...removed.failed);
  result.merged.push(...removed.done);
  return result;
}

/** `moveItems` that leaves the folders which it emptied where they are. */
export async function moveAndMerge(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  request: MoveRequest,
): Promise<MoveOutcome> {
  const { merging, ...result } = await moveUnmerged(dependencies, trx, actor, request);
  const outcome: MoveOutcome = { ...result, emptied: [] };
  // After the others, which may take the names of folders in the target.
  for (const folder of merging) {
    const move = (contents: MoveRequest) => moveAndMerge(dependencies, trx, actor, contents);
    addOutcome(outcome, await mergeIntoNamesake(trx, actor, folder, request, move));
  }
  return outcome;
}

/** `moveItems` without the folders that are to be merged, which are returned. */
async function moveUnmerged(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { ids, parent_id, conflicts, ask = false, seen }: MoveRequest,
): Promise<MoveResult & { merging: ChosenItem[] }> {
  const folder = await targetFolder(trx, actor, parent_id);
  if (!folder) {
    const what = parent_id === null ? null : await describeDeletion(dependencies, trx, actor, parent_id);
    throw invalid({
      parent_id: [what === null ? NO_FOLDER : `This folder does not exist any more. ${what}`],
    });
  }
  const seal = await sealOfFolder(trx, actor, parent_id);
  if (seal) throw sealedError(seal, 'parent_id');
  const then = seen?.some(({ undoing }) => undoing) ? STAYS : AGAIN;
  const { items, failed } = await findUnchangedItems(dependencies, trx, actor, { ids, seen }, then);
  await failHoldingSealed(trx, actor, items, failed);
  const crumbs = parent_id === null ? [] : await breadcrumbs(trx, UNRESTRICTED, parent_id);
  const above = new Set(crumbs.map(({ id }) => id));
  const client = await clientOf(trx, actor, folder);
  const there = ({ name_key }: ChosenItem) => placeKey({ parent_id, name_key });
  const { taken, unseen, sealed } = await placesTaken(
    trx,
    actor,
    Array.from(items.values(), ({ name_key }) => ({ parent_id, name_key })),
  );
  // What is refused anyway must not be asked about first.
  const asked = conflicts ? [] : [...items.values()].filter((item) => taken.has(there(item)));
  const namesakes = ask && !conflicts ? namesakesOf([...items.values()]) : [];
  const heldBack = await findHeldBack(
    trx,
    [...asked, ...namesakes].map(({ id }) => id),
    folder,
    client,
  );
  const done: number[] = [];
  const moving: ChosenItem[] = [];
  const conflicting: ChosenItem[] = [];
  const merging: ChosenItem[] = [];
  let waits = false;
  for (const item of items.values()) {
    const fail = (message: string) => failed.push({ id: item.id, name: item.name, message });
    if (above.has(item.id)) fail(INTO_ITSELF);
    else if (item.seen_parent_id === parent_id) done.push(item.id);
    else if (unseen.has(there(item)) && !conflicts) fail(UNUSABLE_NAME);
    else if (heldBack.has(item.id))
      failed.push({ id: item.id, name: item.name, message: HELD, code: 'held' });
    else if (taken.has(there(item)) && !conflicts) {
      failed.push({ id: item.id, name: item.name, message: takenThere(item.name), code: 'taken' });
      waits ||= ask;
    } else if (conflicts === 'replace' && item.type === 'file' && sealed.has(there(item)))
      failed.push({ id: item.id, name: item.name, message: sealed.get(there(item))!, code: 'sealed' });
    else if (taken.has(there(item)) && conflicts === 'merge' && item.type === 'folder') merging.push(item);
    else if (taken.has(there(item))) {
      conflicting.push(item);
      done.push(item.id);
    } else {
      // Two chosen items from different folders may have the same name.
      taken.add(there(item));
      moving.push(item);
      done.push(item.id);
    }
  }
  if (waits) return { ...nothingMoved(), failed, merging };
  const moved = [...moving, ...conflicting].map(({ id }) => id);
  if (moved.length === 0) return { ...nothingMoved(), done, failed, merging };
  const { client_id } = folder;
  const from = await foldersOf(trx, [...moving, ...conflicting]);
  const before = await dependencies.audit.clientsOf(trx, moved);
  const under = await rulesOver(trx, actor.firmId, moved);
  const followers = client ? await withoutOwnClient(trx, moved) : [];
  const plain = moving.map(({ id }) => id);
  if (plain.length > 0)
    await execute(trx, `UPDATE item_rows SET parent_id = ? WHERE id IN (${placeholders(plain)})`, [
      parent_id,
      ...plain,
    ]);
  // After the plain moves, which may take further names in the target.
  const places = moving.map(({ id, seen_parent_id }): FormerPlace => ({
    id,
    parent_id: seen_parent_id,
    to: parent_id,
  }));
  for (const item of conflicting)
    places.push(...(await moveWithConflict(dependencies, trx, actor, item, { parent_id, conflicts })));
  const { former: unlinked, later } = await linkToClient(dependencies, trx, actor, followers, {
    client_id,
    contents: 'unlinked',
  });
  const former = unlinked.map((item) => ({ ...item, to: client_id }));
  const parents = [...moving, ...conflicting].map((item) => item.parent_id);
  const clients = [...before, ...(await dependencies.audit.clientsOf(trx, moved))];
  await requireStillSeen(trx, actor, moved, 'parent_id');
  await requireStillKept(trx, actor, under);
  await dependencies.audit.record(trx, {
    actor,
    did: 'document.move',
    concerns: { items: moved, parents: [...new Set([parent_id, ...parents])], clients },
    subject: moved.length === 1 ? `item:${moved[0]}` : undefined,
    detail: {
      from,
      to: crumbs.length === 0 ? null : crumbs.map(({ name }) => name).join(SEPARATOR),
      chosen: moved.length,
      names: [...moving, ...conflicting].slice(0, MAX_NAMED).map(({ name }) => name),
      ids: moved.slice(0, MAX_NAMED),
      ...(conflicts && conflicting.length > 0 && { conflicts, met: conflicting.length }),
      ...(client &&
        former.length > 0 && { client: client_id, client_name: client.name, linked: former.length }),
    },
  });
  const clientNames = client && (former.length > 0 || later) ? [client.name] : [];
  return { done, failed, former, later, clients: clientNames, moved: places, merged: [], merging };
}

/** The items whose name another of them has. */
const namesakesOf = (items: readonly ChosenItem[]): ChosenItem[] =>
  [...Map.groupBy(items, ({ name_key }) => name_key).values()].filter((some) => some.length > 1).flat();

/**
 * Moves an item whose name is taken in the target. With `replace`, a file takes over the name of an existing file, which
 * is renamed with a date; otherwise the item gets a numbered name.
 * @returns where both were.
 */
async function moveWithConflict(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { id, seen_parent_id, type, name }: ChosenItem,
  { parent_id, conflicts }: Pick<MoveRequest, 'parent_id' | 'conflicts'>,
): Promise<FormerPlace[]> {
  const replaced =
    conflicts === 'replace' && type === 'file'
      ? await setAsideReplaced(dependencies, trx, actor, { parent_id, name })
      : null;
  const newName = replaced ? name : await freeName(trx, actor.firmId, parent_id, name);
  await trx('item_rows')
    .where({ id })
    .update({ parent_id, name: newName, name_key: nameKey(newName), sort_key: sortKey(newName) });
  const place = { id, parent_id: seen_parent_id, to: parent_id };
  if (replaced) return [place, replaced];
  if (newName === name) return [place];
  await searchIndex.rename(trx, { id, firm_id: actor.firmId, name: newName });
  return [{ ...place, renamed: { from: name, to: newName } }];
}

/** Distinct paths of the items' folders; null for 'My Drive'. */
async function foldersOf(trx: Knex.Transaction, items: readonly ChosenItem[]): Promise<(string | null)[]> {
  const ids = [...new Set(items.map(({ parent_id }) => parent_id))].slice(0, MAX_NAMED);
  const pathById = await paths(trx, UNRESTRICTED, ids);
  return ids.map((id) => (id === null ? null : (pathById.get(id) ?? null)));
}

/** A name in a folder. */
export interface Place {
  parent_id: number | null;
  name_key: string;
}
/** A key for maps; no name contains a slash. */
export const placeKey = ({ parent_id, name_key }: Place): string => `${parent_id ?? 0}/${name_key}`;

/**
 * Looks up which of these places are taken: `taken` by any item; `unseen` by items that the actor does not see; `sealed`
 * by sealed files, with the message why they cannot be replaced. The keys are `placeKey`s.
 */
export async function placesTaken(
  trx: Knex.Transaction,
  actor: Actor,
  places: readonly Place[],
): Promise<{ taken: Set<string>; unseen: Set<string>; sealed: Map<string, string> }> {
  if (places.length === 0) return { taken: new Set(), unseen: new Set(), sealed: new Map() };
  const [home, key] = [numberOf('one.value', 0), textOf('one.value', 1)];
  const rows = await queryRows<Place & { id: number; seen: number; sealed: number | null }>(
    trx,
    `SELECT DISTINCT i.id, i.parent_id, i.name_key, i.sealed, ${seesAll(actor) ? '1' : `CASE WHEN ${isVisible(actor, 'i')} THEN 1 ELSE 0 END`} AS seen
     FROM ${boundTupleRows('one')} CROSS JOIN items i
     WHERE i.firm_id = ? AND coalesce(i.parent_id, 0) = ${home} AND i.name_key = ${key}`,
    [bindList(places.map(({ parent_id, name_key }) => [parent_id ?? 0, name_key])), actor.firmId],
  );
  const keys = (some: typeof rows) => new Set(some.map(placeKey));
  const sealedRows = rows.filter((row) => row.sealed !== null && row.seen === 1);
  const seals = await sealsOver(
    trx,
    actor,
    sealedRows.map(({ id }) => id),
  );
  return {
    taken: keys(rows),
    unseen: keys(rows.filter(({ seen }) => seen === 0)),
    sealed: new Map(sealedRows.map((row) => [placeKey(row), sealedMessage(seals.get(row.id)!)])),
  };
}

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { invalid } from '#server/http/errors.ts';
import { NO_FOLDER, UNUSABLE_NAME, freeName } from './add.ts';
import { isVisible, only, seesAll, WHOLE } from '#server/visibility/visible.ts';
import type { Conflict, MoveResult, Seen } from '../contract.ts';
import { deletedBy } from './concurrent-edits.ts';
import type { Filing } from './set-client.ts';
import { demandStillSeen, link } from './set-client.ts';
import { nameKey } from '../../text/names.ts';
import { sortKey } from '../../text/sort-key.ts';
import type { OwnItem } from './remove.ts';
import { NAMED, keepSealed, unchangedItems } from './remove.ts';
import { setAsideReplaced } from './replace.ts';
import { demandStillKept, rulesOver } from '../retention/guard.ts';
import { sealOfFolder, sealedError, sealedMessage, sealsOver } from '../seals/guard.ts';
import { EACH, eachParts, execute, list, numberOf, placeholders, queryRows, textOf } from '../../db/sql.ts';
import { SEPARATOR, breadcrumbs, paths } from '../tree.ts';
import { searchIndex } from '#server/search/index.ts';

/** Where to; and what becomes of those whose names are taken there: without it they stay where they are. */
export interface MoveRequest {
  ids: readonly number[];
  parent_id: number | null;
  conflicts?: Conflict | undefined;
  seen?: readonly Seen[];
}

const AGAIN = 'Move it again if it should still go there.';
export const INTO_ITSELF = 'A folder cannot be moved into itself or into a folder inside it.';
export const takenThere = (name: string) => `An item named "${name}" is already there.`;

/**
 * Moves what can be moved and says of the rest why not. A client set on the target is the default for what is put into
 * it: what has no client of its own is linked to that client.
 * @throws {AppError} 422 on `parent_id` when the target is not a folder of the firm.
 */
export async function moveItems(
  parts: Filing,
  trx: Knex.Transaction,
  actor: Actor,
  { ids, parent_id, conflicts, seen }: MoveRequest,
): Promise<MoveResult> {
  const target = { id: parent_id, firm_id: actor.firmId, type: 'folder' };
  const folder: { client_id: number | null } | undefined =
    parent_id === null
      ? { client_id: null }
      : await only(trx('items').where(target), isVisible(actor)).first('client_id');
  if (!folder) {
    const what = parent_id === null ? null : await deletedBy(parts, trx, actor, parent_id);
    throw invalid({ parent_id: [what === null ? NO_FOLDER : `${NO_FOLDER} ${what}`] });
  }
  const seal = await sealOfFolder(trx, actor, parent_id);
  if (seal) throw sealedError(seal, 'parent_id');
  const { items, failed } = await unchangedItems(parts, trx, actor, { ids, seen }, AGAIN);
  await keepSealed(trx, actor, items, failed);
  const crumbs = parent_id === null ? [] : await breadcrumbs(trx, WHOLE, parent_id);
  const above = new Set(crumbs.map(({ id }) => id));
  const there = ({ name_key }: OwnItem) => placeKey({ parent_id, name_key });
  const { taken, unseen, sealed } = await placesTaken(
    trx,
    actor,
    Array.from(items.values(), ({ name_key }) => ({ parent_id, name_key })),
  );
  const done: number[] = [];
  const moving: OwnItem[] = [];
  const meeting: OwnItem[] = [];
  for (const item of items.values()) {
    const fail = (message: string) => failed.push({ id: item.id, name: item.name, message });
    if (above.has(item.id)) fail(INTO_ITSELF);
    else if (item.seen_parent_id === parent_id) done.push(item.id);
    else if (unseen.has(there(item)) && !conflicts) fail(UNUSABLE_NAME);
    else if (taken.has(there(item)) && !conflicts)
      failed.push({ id: item.id, name: item.name, message: takenThere(item.name), code: 'taken' });
    else if (conflicts === 'replace' && item.type === 'file' && sealed.has(there(item)))
      failed.push({ id: item.id, name: item.name, message: sealed.get(there(item))!, code: 'sealed' });
    else if (taken.has(there(item))) {
      meeting.push(item);
      done.push(item.id);
    } else {
      // Two of the chosen may have one name, coming from two folders.
      taken.add(there(item));
      moving.push(item);
      done.push(item.id);
    }
  }
  const moved = [...moving, ...meeting].map(({ id }) => id);
  if (moved.length === 0) return { done, failed, former: [], later: false };
  const { client_id } = folder;
  const client = await clientOf(trx, actor, client_id);
  const from = await foldersOf(trx, [...moving, ...meeting]);
  const before = await parts.audit.clientsOf(trx, moved);
  const under = await rulesOver(trx, actor.firmId, moved);
  const followers = client ? await withoutOwnClient(trx, moved) : [];
  const plain = moving.map(({ id }) => id);
  if (plain.length > 0)
    await execute(trx, `UPDATE item_rows SET parent_id = ? WHERE id IN (${placeholders(plain)})`, [
      parent_id,
      ...plain,
    ]);
  // After those that meet nothing: their names count as taken now.
  for (const item of meeting) await moveBeside(parts, trx, actor, item, { parent_id, conflicts });
  const { former, later } = await link(parts, trx, actor, followers, { client_id, contents: 'unlinked' });
  const parents = [...moving, ...meeting].map((item) => item.parent_id);
  const clients = [...before, ...(await parts.audit.clientsOf(trx, moved))];
  await demandStillSeen(trx, actor, moved, 'parent_id');
  await demandStillKept(trx, actor, under);
  await parts.audit.record(trx, {
    actor,
    did: 'document.move',
    concerns: { items: moved, parents: [...new Set([parent_id, ...parents])], clients },
    subject: moved.length === 1 ? `item:${moved[0]}` : undefined,
    detail: {
      from,
      to: crumbs.length === 0 ? null : crumbs.map(({ name }) => name).join(SEPARATOR),
      chosen: moved.length,
      names: [...moving, ...meeting].slice(0, NAMED).map(({ name }) => name),
      ids: moved.slice(0, NAMED),
      ...(conflicts && meeting.length > 0 && { conflicts, met: meeting.length }),
      ...(client &&
        former.length > 0 && { client: client_id, client_name: client.name, linked: former.length }),
    },
  });
  return { done, failed, former, later };
}

/**
 * Moves an item whose name is taken in the target: a file takes the name of a file that is to be replaced, which is set
 * aside under a dated name; anything else gets a number.
 */
async function moveBeside(
  parts: Filing,
  trx: Knex.Transaction,
  actor: Actor,
  { id, type, name }: OwnItem,
  { parent_id, conflicts }: Pick<MoveRequest, 'parent_id' | 'conflicts'>,
): Promise<void> {
  const replaced =
    conflicts === 'replace' &&
    type === 'file' &&
    (await setAsideReplaced(parts, trx, actor, { parent_id, name }));
  const kept = replaced ? name : await freeName(trx, actor.firmId, parent_id, name);
  await trx('item_rows')
    .where({ id })
    .update({ parent_id, name: kept, name_key: nameKey(kept), sort_key: sortKey(kept) });
  if (kept !== name) await searchIndex.rename(trx, { id, firm_id: actor.firmId, name: kept });
}

/** Whether a folder's client is still there: a deleted one is taken off its items only little by little. */
const clientOf = async (
  trx: Knex.Transaction,
  actor: Actor,
  id: number | null,
): Promise<{ name: string } | undefined> =>
  id === null ? undefined : trx('clients').where({ id, firm_id: actor.firmId }).first('name');

/** The folders in which they lie, each once, by path; null for none. */
async function foldersOf(trx: Knex.Transaction, items: readonly OwnItem[]): Promise<(string | null)[]> {
  const ids = [...new Set(items.map(({ parent_id }) => parent_id))].slice(0, NAMED);
  const named = await paths(trx, WHOLE, ids);
  return ids.map((id) => (id === null ? null : (named.get(id) ?? null)));
}

/** Those that have no client, or the one of the folder in which they still lie. */
async function withoutOwnClient(trx: Knex.Transaction, ids: readonly number[]): Promise<number[]> {
  const rows = await queryRows<{ id: number }>(
    trx,
    `SELECT i.id FROM items i LEFT JOIN items p ON p.id = i.parent_id WHERE i.id IN (${EACH})
     AND (i.client_id IS NULL OR i.client_id = p.client_id OR i.client_id IN (SELECT id FROM clients WHERE firm_id = 0)) ORDER BY i.id`,
    [list(ids)],
  );
  return rows.map(({ id }) => id);
}

/** A name in a folder. */
export interface Place {
  parent_id: number | null;
  name_key: string;
}
/** No name holds a slash. */
export const placeKey = ({ parent_id, name_key }: Place): string => `${parent_id ?? 0}/${name_key}`;

/**
 * Which of these places are taken, by an item that stays there; by which the actor does not see; and by which is a sealed
 * file, with why that cannot be replaced. Each by its `placeKey`.
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
     FROM ${eachParts('one')} CROSS JOIN items i
     WHERE i.firm_id = ? AND coalesce(i.parent_id, 0) = ${home} AND i.name_key = ${key}`,
    [list(places.map(({ parent_id, name_key }) => [parent_id ?? 0, name_key])), actor.firmId],
  );
  const keys = (some: typeof rows) => new Set(some.map(placeKey));
  const kept = rows.filter((row) => row.sealed !== null && row.seen === 1);
  const seals = await sealsOver(
    trx,
    actor,
    kept.map(({ id }) => id),
  );
  return {
    taken: keys(rows),
    unseen: keys(rows.filter(({ seen }) => seen === 0)),
    sealed: new Map(kept.map((row) => [placeKey(row), sealedMessage(seals.get(row.id)!)])),
  };
}

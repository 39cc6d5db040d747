import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, boundTupleRows, execute, bindList, numberOf, queryRows, textOf } from '#server/db/sql.ts';
import { undone } from '#server/db/undone.ts';
import { showTrashed } from '#server/records/hidden.ts';
import { countScopes } from '#server/records/scope-usage.ts';
import * as usage from '#server/records/usage.ts';
import { searchIndex } from '#server/search/index.ts';
import { nameKey } from '#server/text/file-names.ts';
import { sortKey } from '#server/text/sort-key.ts';
import { UNRESTRICTED } from '#server/visibility/visible.ts';
import { UNUSABLE_NAME, freeName } from '../changes/insert-item.ts';
import { placeKey, placesTaken, takenThere } from '../changes/move.ts';
import { MAX_NAMED } from '../changes/remove.ts';
import { setAsideReplaced } from '../changes/set-aside.ts';
import type { LinkingDependencies } from '../changes/set-client.ts';
import { requireStillSeen, linkToClient } from '../changes/set-client.ts';
import { withFolderFacts } from '../lists/folder-facts.ts';
import { below, paths } from '../tree.ts';
import type { ItemType, Taken } from '../contract.ts';
import type { RestoreItems, RestoreResult } from './contract.ts';
import { mergeRestored, refusalToMerge } from './merge-restored.ts';
import { createFolderRecreation } from './recreate-folders.ts';
import type { FolderAbove } from './move-to-trash.ts';
import type { Top } from './sizes.ts';
import { byScope, foldersIn, TOP, weigh } from './sizes.ts';
import { requireStillKept, rulesOver } from '../retention/guard.ts';
import { sealedMessage, sealsOver } from '../seals/guard.ts';
import { requireFolder, followersOf, keepClients, leavingHold } from './clients.ts';
import { GONE, andSeenInTrash } from './visible.ts';

/** Number of entries restored in one transaction. */
const BATCH_ENTRIES = 500;

interface Row {
  id: number;
  type: ItemType;
  name: string;
  file_size: number | null;
  modified_at: string;
  client_id: number | null;
  scope: number;
  /** The former parent folder, which may not exist any more. */
  former_parent: number | null;
  /** The client of that folder, whether or not it exists. */
  former_client: number | null;
  folders: FolderAbove[];
  files: number;
  bytes: number;
}

type RestoreOutcome = Required<RestoreResult>;

const HELD =
  'Documents of this client are under a legal hold and stay with that client. Restore it to its former folder instead.';

/**
 * Restores items from Trash with their contents, to their former folders (recreated if necessary) or to a chosen folder.
 * The most recently deleted items come first, so that items deleted earlier from inside them find their folders.
 * @param trial whether everything is undone at once, and only the result is wanted.
 * @throws {AppError} 422 on `parent_id`.
 */
export async function restoreItems(
  dependencies: LinkingDependencies,
  actor: Actor,
  { ids, ...request }: RestoreItems,
  { trial = false } = {},
): Promise<RestoreResult> {
  const { db } = dependencies;
  const uniqueIds = [...new Set(ids)];
  const known = await queryRows<{ item_id: number }>(
    db,
    `SELECT item_id FROM trash WHERE item_id IN (${BOUND_IDS}) AND firm_id = ? ORDER BY id DESC`,
    [bindList(uniqueIds), actor.firmId],
  );
  const order = known.map(({ item_id }) => item_id);
  const result: RestoreOutcome = { done: [], failed: [], restored: [], remade: [], taken: [] };
  const found = new Set(order);
  for (const id of uniqueIds) if (!found.has(id)) result.failed.push({ id, name: null, message: GONE });
  for (let start = 0; start < order.length || start === 0; start += BATCH_ENTRIES) {
    const some = order.slice(start, start + BATCH_ENTRIES);
    const work = (trx: Knex.Transaction) => restoreSome(dependencies, trx, actor, some, request);
    const part = await (trial ? undone(db, work) : db.transaction(work));
    result.done.push(...part.done);
    result.failed.push(...part.failed);
    result.restored.push(...part.restored);
    result.remade.push(...part.remade);
    for (const there of part.taken) result.taken.push({ ...there, index: result.taken.length });
  }
  await acceptContents(db, actor, result);
  return result;
}

/** Items that were deleted together with a folder above them are restored with it: they are not missing. */
async function acceptContents(db: Knex, actor: Actor, result: RestoreOutcome): Promise<void> {
  const missing = result.failed.filter(({ name }) => name === null).map(({ id }) => id);
  if (missing.length === 0 || result.done.length === 0) return;
  const tree = below(result.done, actor);
  const sql = `${tree.sql} SELECT id FROM below WHERE id IN (${BOUND_IDS})`;
  const rows = await queryRows<{ id: number }>(db, sql, [...tree.bindings, bindList(missing)]);
  const inside = new Set(rows.map(({ id }) => id));
  result.failed = result.failed.filter(({ id }) => !inside.has(id));
  result.done.push(...inside);
}

async function rowsOf(trx: Knex.Transaction, actor: Actor, ids: readonly number[]): Promise<Row[]> {
  const rows = await queryRows<Omit<Row, 'folders'> & { folders: string }>(
    trx,
    `SELECT i.id, i.type, i.name, i.file_size, i.modified_at, i.client_id, i.scope_client_id AS scope, i.parent_id AS former_parent,
       p.client_id AS former_client, t.folders, t.files, t.bytes
     FROM trash t CROSS JOIN item_rows i LEFT JOIN item_rows p ON p.id = i.parent_id
     WHERE t.item_id IN (${BOUND_IDS}) AND t.firm_id = ? AND i.id = t.item_id${andSeenInTrash(actor)} ORDER BY t.id DESC`,
    [bindList(ids), actor.firmId],
  );
  return rows.map((row) => ({
    ...row,
    folders: JSON.parse(row.folders) as Row['folders'],
  }));
}

async function restoreSome(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  ids: readonly number[],
  { parent_id, conflicts }: Omit<RestoreItems, 'ids'>,
): Promise<RestoreOutcome> {
  const folder = parent_id === undefined ? undefined : await requireFolder(trx, actor, parent_id);
  const rows = await rowsOf(trx, actor, ids);
  const result: RestoreOutcome = { done: [], failed: [], restored: [], remade: [], taken: [] };
  const seen = new Set(rows.map(({ id }) => id));
  for (const id of ids) if (!seen.has(id)) result.failed.push({ id, name: null, message: GONE });
  if (rows.length === 0) return result;
  const sealedHomes =
    folder === undefined ? await sealedTargets(trx, actor, rows) : new Map<number, string>();
  for (const { id, name } of rows)
    if (sealedHomes.has(id)) result.failed.push({ id, name, message: sealedHomes.get(id)!, code: 'sealed' });
  const held = folder ? await leavingHold(trx, actor, rows, folder) : new Set<number>();
  for (const { id, name } of rows)
    if (held.has(id)) result.failed.push({ id, name, message: HELD, code: 'held' });
  const before = await dependencies.audit.clientsOf(
    trx,
    rows.map(({ id }) => id),
  );
  const under = await rulesOver(trx, actor.firmId, seen);
  const placed: PlacedRow[] = [];
  const again = createFolderRecreation(dependencies, trx, actor);
  for (let waiting = rows.filter(({ id }) => !sealedHomes.has(id) && !held.has(id)); waiting.length > 0;) {
    const { now, later } =
      folder === undefined ? await splitByDependency(trx, waiting) : { now: waiting, later: [] as Row[] };
    const homes =
      parent_id === undefined
        ? await again.foldersFor(now.map(({ folders }) => folders))
        : now.map(() => parent_id);
    const going = now.map((row, index) => ({
      ...row,
      parent_id: homes[index] ?? null,
      name_key: nameKey(row.name),
    }));
    placed.push(
      ...(await placeRows(dependencies, trx, actor, {
        rows: going,
        chosen: folder !== undefined,
        conflicts,
        result,
      })),
    );
    waiting = later;
  }
  if (placed.length === 0) return result;
  if (folder?.client_id)
    await linkToClient(dependencies, trx, actor, [...(await followersOf(trx, placed, folder))], {
      client_id: folder.client_id,
      contents: 'unlinked',
    });
  result.remade.push(...again.remade);
  const done = placed.map(({ id }) => id);
  await requireStillSeen(trx, actor, done, 'parent_id');
  await requireStillKept(trx, actor, under);
  await record(dependencies, trx, actor, { placed, before });
  if (conflicts === 'merge') {
    const formerName = new Map(rows.map(({ id, name }) => [id, name]));
    const numbered = placed.filter(({ id, type, name }) => type === 'folder' && name !== formerName.get(id));
    const folders = numbered.map(({ id, parent_id }) => ({ id, parent_id, name: formerName.get(id)! }));
    await mergeRestored(dependencies, trx, actor, folders, result);
  }
  return result;
}

/**
 * The rows that would return into something sealed meanwhile, with the message: their folder, or the nearest existing
 * one above.
 */
async function sealedTargets(
  trx: Knex.Transaction,
  actor: Actor,
  rows: readonly Row[],
): Promise<Map<number, string>> {
  const above = new Set(rows.flatMap(({ folders }) => folders.map(({ id }) => id)));
  const seals = await sealsOver(trx, actor, above);
  if (seals.size === 0) return new Map();
  const there = new Set<number>(
    await trx('items')
      .whereRaw(`id IN (${BOUND_IDS})`, [bindList(above)])
      .pluck('id'),
  );
  return new Map(
    rows.flatMap(({ id, folders }) => {
      const seal = seals.get(folders.findLast((folder) => there.has(folder.id))?.id ?? 0);
      return seal ? [[id, sealedMessage(seal)] as const] : [];
    }),
  );
}

/** Separates the rows whose folder is restored by another of the rows; they follow later. */
async function splitByDependency(
  trx: Knex.Transaction,
  rows: readonly Row[],
): Promise<{ now: Row[]; later: Row[] }> {
  const parents = new Set(rows.flatMap(({ folders }) => folders.at(-1)?.id ?? []));
  const marks = await queryRows<{ item_id: number; trash: number }>(
    trx,
    `SELECT item_id, trash FROM hidden_items WHERE item_id IN (${BOUND_IDS}) AND trash IS NOT NULL`,
    [bindList(parents)],
  );
  const rootOf = new Map(marks.map(({ item_id, trash }) => [item_id, trash]));
  const coming = new Set(rows.map(({ id }) => id));
  const waits = ({ folders }: Row) => coming.has(rootOf.get(folders.at(-1)?.id ?? 0) ?? 0);
  return { now: rows.filter((row) => !waits(row)), later: rows.filter(waits) };
}

/** A row with its target folder. */
type PlacedRow = Row & { parent_id: number | null; name_key: string };

interface Placing {
  rows: readonly PlacedRow[];
  /** Whether a user chose the folder; otherwise it stands for the former one. */
  chosen: boolean;
  conflicts: RestoreItems['conflicts'];
  result: RestoreOutcome;
}

/** Restores rows to their target folders; taken names are resolved by `conflicts`. @returns the restored rows. */
async function placeRows(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { rows, chosen, conflicts, result }: Placing,
): Promise<PlacedRow[]> {
  const { taken, unseen, sealed } = await placesTaken(trx, actor, rows);
  const plain: PlacedRow[] = [];
  const meeting: PlacedRow[] = [];
  const met: PlacedRow[] = [];
  for (const row of rows) {
    const { id, name } = row;
    const key = placeKey(row);
    const refusal =
      conflicts === 'merge' && row.type === 'folder' && taken.has(key)
        ? await refusalToMerge(trx, actor, row)
        : null;
    if (!taken.has(key)) {
      // Two of the rows may have the same name.
      taken.add(key);
      plain.push(row);
    } else if (conflicts === 'replace' && row.type === 'file' && sealed.has(key))
      result.failed.push({ id, name, message: sealed.get(key)!, code: 'sealed' });
    else if (refusal) result.failed.push({ id, name, ...refusal });
    else if (conflicts) meeting.push(row);
    else if (unseen.has(key)) result.failed.push({ id, name, message: UNUSABLE_NAME });
    else met.push(row);
  }
  await reportTaken(trx, actor, { rows: met, plain, result });
  if (!chosen) await keepClients(trx, actor, [...plain, ...meeting]);
  await restoreNames(trx, plain);
  const back = [...plain];
  await reveal(trx, actor, plain);
  for (const row of meeting) {
    const { parent_id } = row;
    const name = await freeNameFor(dependencies, trx, actor, row, conflicts);
    const names = { parent_id, name, name_key: nameKey(name), sort_key: sortKey(name) };
    await trx('item_rows').where({ id: row.id }).update(names);
    await reveal(trx, actor, [row]);
    if (name !== row.name) await searchIndex.rename(trx, { id: row.id, firm_id: actor.firmId, name });
    back.push({ ...row, name });
  }
  for (const { id, name, parent_id } of back) result.restored.push({ id, name, parent_id });
  result.done.push(...back.map((row) => row.id));
  return back;
}

/** Restores names, and parent folders only where they changed: updating those costs ten times as much. */
async function restoreNames(trx: Knex.Transaction, rows: readonly PlacedRow[]): Promise<void> {
  const [id, home] = [0, 2].map((index) => numberOf('one.value', index));
  const key = textOf('one.value', 1);
  const moving = rows.filter((row) => row.parent_id !== row.former_parent);
  const staying = rows.filter((row) => row.parent_id === row.former_parent);
  const update = (change: string, of: readonly PlacedRow[]) =>
    execute(trx, `UPDATE item_rows SET ${change} FROM ${boundTupleRows('one')} WHERE item_rows.id = ${id}`, [
      bindList(of.map((row) => [row.id, row.name_key, row.parent_id])),
    ]);
  if (moving.length > 0) await update(`name_key = ${key}, parent_id = ${home}`, moving);
  if (staying.length > 0) await update(`name_key = ${key}`, staying);
}

/** Adds the items that have these names to the result, so that the user can decide. */
async function reportTaken(
  trx: Knex.Transaction,
  actor: Actor,
  { rows, plain, result }: Pick<Placing, 'rows' | 'result'> & { plain: readonly PlacedRow[] },
): Promise<void> {
  if (rows.length === 0) return;
  const [home, key] = [numberOf('one.value', 0), textOf('one.value', 1)];
  const found = await queryRows<
    Omit<Taken, 'index' | 'sha256'> & { parent_id: number | null; name_key: string }
  >(
    trx,
    `SELECT i.id, i.name, i.type, i.file_size, i.modified_at, i.parent_id, i.name_key FROM ${boundTupleRows('one')} CROSS JOIN items i
     WHERE i.firm_id = ? AND coalesce(i.parent_id, 0) = ${home} AND i.name_key = ${key}`,
    [bindList(rows.map(({ parent_id, name_key }) => [parent_id ?? 0, name_key])), actor.firmId],
  );
  // Another of the restored rows may have the name.
  const byKey = new Map([...plain, ...found].map((there) => [placeKey(there), there]));
  const taken: Taken[] = [];
  for (const row of rows) {
    result.failed.push({ id: row.id, name: row.name, message: takenThere(row.name), code: 'taken' });
    const { id, name, type, file_size, modified_at } = byKey.get(placeKey(row))!;
    const index = result.taken.length + taken.length;
    taken.push({ id, name, type, file_size, modified_at, index, sha256: null });
  }
  result.taken.push(...(await withFolderFacts(trx, actor, taken)));
}

/** The name of a restored item whose name is taken: its own if the existing file was renamed, otherwise numbered. */
async function freeNameFor(
  dependencies: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { name, type, parent_id }: PlacedRow,
  conflicts: Placing['conflicts'],
): Promise<string> {
  const aside =
    conflicts === 'replace' &&
    type === 'file' &&
    (await setAsideReplaced(dependencies, trx, actor, { parent_id, name })) !== null;
  return aside ? name : freeName(trx, actor.firmId, parent_id, name);
}

/** Takes rows with their contents out of Trash, and updates the totals. */
async function reveal(trx: Knex.Transaction, { firmId }: Actor, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await showTrashed(trx, ids);
  // No row is inside another, so nothing is counted twice.
  const boundIds = [bindList(ids)];
  const tops = await queryRows<Top>(trx, `SELECT ${TOP} FROM items WHERE id IN (${BOUND_IDS})`, boundIds);
  const weights = await weigh(trx, tops, await foldersIn(trx, tops));
  await countScopes(trx, firmId, await byScope(trx, weights), 1);
  await execute(trx, `DELETE FROM trash WHERE item_id IN (${BOUND_IDS})`, boundIds);
  await usage.countTrash(trx, firmId, {
    items: -rows.length,
    files: -rows.reduce((sum, { files }) => sum + files, 0),
    bytes: -rows.reduce((sum, { bytes }) => sum + bytes, 0),
  });
}

async function record(
  { audit }: LinkingDependencies,
  trx: Knex.Transaction,
  actor: Actor,
  { placed, before }: { placed: readonly PlacedRow[]; before: (number | null)[] },
): Promise<void> {
  const ids = placed.map(({ id }) => id);
  const parents = [...new Set(placed.map(({ parent_id }) => parent_id))];
  const pathById = await paths(trx, UNRESTRICTED, parents.slice(0, MAX_NAMED));
  const into = parents.slice(0, MAX_NAMED).map((id) => (id === null ? null : (pathById.get(id) ?? null)));
  await audit.record(trx, {
    actor,
    did: 'document.restore',
    subject: ids.length === 1 ? `item:${ids[0]}` : undefined,
    detail: {
      chosen: ids.length,
      ids: ids.slice(0, MAX_NAMED),
      names: placed.slice(0, MAX_NAMED).map(({ name }) => name),
      folders: into,
    },
    concerns: {
      items: ids,
      parents: [...new Set(parents)],
      clients: [...new Set([...before, ...(await audit.clientsOf(trx, ids))])],
    },
  });
}

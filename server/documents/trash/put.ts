import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { EACH, eachRow, execute, list, partOf, queryRows, valueRows } from '#server/db/sql.ts';
import { freeNames } from '#server/records/hidden.ts';
import type { ScopeTotal } from '#server/records/scope-usage.ts';
import { uncountTrashed } from '#server/records/scope-usage.ts';
import * as usage from '#server/records/usage.ts';
import { fold } from '#server/text/fold.ts';

/** A folder above an item in Trash, as it was when that was deleted. */
export interface FolderAbove {
  id: number;
  name: string;
  /** Its own client, which it gets again when it has to be made anew. */
  client_id: number | null;
  /** To whom it belonged; 0 for nobody. */
  scope: number;
}

/** Of these items the folders, and those in them. Only folders have no type: files are not looked at. */
const FOLDERS = `WITH RECURSIVE folders(root, id, scope) AS (
    SELECT id, id, scope_client_id FROM items WHERE id IN (${EACH}) AND file_type IS NULL
    UNION ALL
    SELECT folders.root, i.id, i.scope_client_id FROM folders CROSS JOIN items i
    WHERE i.parent_id = folders.id AND i.file_type IS NULL
  ) SELECT root, id, scope FROM folders`;

const ROWS = 300;

/** For each of these folders the way to it, root first, itself last. */
async function waysTo(trx: Knex.Transaction, ids: ReadonlySet<number>): Promise<Map<number, FolderAbove[]>> {
  const rows = await queryRows<FolderAbove & { start: number }>(
    trx,
    `WITH RECURSIVE up(start, id, name, parent_id, client_id, scope, height) AS (
       SELECT id, id, name, parent_id, client_id, scope_client_id, 0 FROM items WHERE id IN (${EACH})
       UNION ALL
       SELECT start, i.id, i.name, i.parent_id, i.client_id, i.scope_client_id, height + 1
       FROM up CROSS JOIN items i WHERE i.id = up.parent_id
     ) SELECT start, id, name, client_id, scope FROM up ORDER BY start, height DESC`,
    [list(ids)],
  );
  const ways = new Map<number, FolderAbove[]>();
  for (const { start, ...folder } of rows) ways.set(start, [...(ways.get(start) ?? []), folder]);
  return ways;
}

interface Chosen {
  id: number;
  file_type: string | null;
  file_size: number | null;
  client_id: number | null;
  parent_id: number | null;
  name: string;
  sort_key: string;
  scope_client_id: number;
}

interface Weight extends usage.TypeTotal {
  root: number;
  least: number | null;
  most: number | null;
  /** To whom all of it belongs; null where that differs. */
  scope: number | null;
  /** The folder in which it lies; null for what was chosen itself. */
  folder: number | null;
}

interface Folder {
  root: number;
  id: number;
  scope: number;
}

/** What each of the tops is and holds, by type, read from an index alone; folders are counted under ''. */
async function weigh(
  trx: Knex.Transaction,
  tops: readonly Chosen[],
  folders: readonly Folder[],
): Promise<Weight[]> {
  const own = tops.map(({ id, file_type, file_size, client_id, scope_client_id }): Weight => {
    const total = { file_type: file_type ?? '', files: 1, bytes: file_size ?? 0 };
    return { root: id, ...total, least: client_id, most: client_id, scope: scope_client_id, folder: null };
  });
  if (folders.length === 0) return own;
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const inside = await queryRows<
    Omit<Weight, 'root' | 'scope' | 'folder'> & { parent_id: number; tied: number }
  >(
    trx,
    `SELECT parent_id, coalesce(file_type, '') AS file_type, count(*) AS files, coalesce(sum(file_size), 0) AS bytes,
       min(client_id) AS least, max(client_id) AS most, count(client_id) AS tied
     FROM items WHERE parent_id IN (${EACH}) GROUP BY parent_id, items.file_type`,
    [list(byId.keys())],
  );
  return [
    ...own,
    ...inside.map(({ parent_id, tied, ...weight }): Weight => {
      const { root, scope: inherited } = byId.get(parent_id)!;
      // What has no client of its own belongs to that of its folder.
      const scope =
        tied === 0 ? inherited : tied === weight.files && weight.least === weight.most ? weight.least : null;
      return { ...weight, root, scope, folder: parent_id };
    }),
  ];
}

/** The files of these weights for each client; only where a folder holds several clients' are they looked at singly. */
async function byScope(trx: Knex.Transaction, weights: readonly Weight[]): Promise<ScopeTotal[]> {
  const files = weights.filter(({ file_type }) => file_type !== '');
  const plain = files.flatMap(({ scope, file_type, files, bytes }) =>
    scope === null ? [] : [{ scope_client_id: scope, file_type, files, bytes }],
  );
  const mixed = files.filter(({ scope }) => scope === null);
  if (mixed.length === 0) return sumByScope(plain);
  const [folder, type] = [0, 1].map((at) => partOf('m.value', at));
  const looked = await queryRows<ScopeTotal>(
    trx,
    `SELECT i.scope_client_id, i.file_type, count(*) AS files, coalesce(sum(i.file_size), 0) AS bytes
     FROM ${eachRow('m')} CROSS JOIN items i WHERE i.parent_id = ${folder} AND i.file_type = ${type} GROUP BY 1, 2`,
    [list(mixed.map((one) => [one.folder, one.file_type]))],
  );
  return sumByScope([...plain, ...looked]);
}

function sumByScope(parts: readonly ScopeTotal[]): ScopeTotal[] {
  const sums = new Map<string, ScopeTotal>();
  for (const part of parts) {
    const key = `${part.scope_client_id} ${part.file_type}`;
    const { files, bytes } = sums.get(key) ?? { files: 0, bytes: 0 };
    sums.set(key, { ...part, files: files + part.files, bytes: bytes + part.bytes });
  }
  return [...sums.values()];
}

/** What was deleted before keeps its own mark. */
async function hide(
  trx: Knex.Transaction,
  tops: readonly Chosen[],
  folders: readonly { root: number; id: number }[],
): Promise<void> {
  const [root, id] = [0, 1].map((at) => partOf('f.value', at));
  await execute(
    trx,
    // Taken apart once for each folder, and not again for each item in it.
    `WITH f(root, id) AS MATERIALIZED (SELECT ${root}, ${id} FROM ${eachRow('f')})
     INSERT INTO hidden_items (item_id, trash) SELECT c.id, f.root FROM f CROSS JOIN item_rows c
     WHERE c.parent_id = f.id ORDER BY c.id ON CONFLICT DO NOTHING`,
    [list(folders.map((folder) => [folder.root, folder.id]))],
  );
  await execute(
    trx,
    `INSERT INTO hidden_items (item_id, trash) SELECT f.value, f.value FROM ${eachRow('f')}`,
    [list(tops.map((top) => top.id))],
  );
}

/**
 * Moves items and everything below them to Trash, at once however many they are: they are there for nobody, and their
 * names are free. What the firm stores stays the same. The items have to be the firm's.
 * @param purgeAt until when they stay.
 * @returns what was moved, by type; folders under ''.
 */
export async function putInTrash(
  trx: Knex.Transaction,
  actor: Actor,
  ids: readonly number[],
  { now, purgeAt }: { now: Date; purgeAt: Date },
): Promise<usage.TypeTotal[]> {
  const chosen = await queryRows<Chosen>(
    trx,
    `SELECT id, parent_id, name, sort_key, scope_client_id, client_id, file_type, file_size FROM items WHERE id IN (${EACH}) ORDER BY id`,
    [list(ids)],
  );
  const ways = await waysTo(trx, new Set(chosen.flatMap(({ parent_id }) => parent_id ?? [])));
  const wayOf = ({ parent_id }: Chosen) => (parent_id === null ? [] : (ways.get(parent_id) ?? []));
  // What was chosen together with a folder above it goes with that, and comes back with it.
  const all = new Set(ids);
  const tops = chosen.filter((one) => !wayOf(one).some(({ id }) => all.has(id)));
  const roots = list(tops.map(({ id }) => id));

  const folders = await queryRows<Folder>(trx, FOLDERS, [roots]);
  const weights = await weigh(trx, tops, folders);
  await uncountTrashed(trx, actor.firmId, await byScope(trx, weights));
  await hide(trx, tops, folders);
  await freeNames(
    trx,
    tops.map(({ id }) => id),
  );

  const byRoot = Map.groupBy(weights, ({ root }) => root);
  const rows = tops.map((top) => {
    const own = byRoot.get(top.id) ?? [];
    const held = own.filter(({ file_type }) => file_type !== '');
    const others = own.some(({ least, most }) =>
      [least, most].some((client) => client !== null && client !== top.scope_client_id),
    );
    return {
      item_id: top.id,
      firm_id: actor.firmId,
      folded_name: fold(top.name),
      sort_key: top.sort_key,
      folders: JSON.stringify(wayOf(top)),
      totals: JSON.stringify(sumByType(held).map(({ file_type, files, bytes }) => [file_type, files, bytes])),
      files: held.reduce((sum, one) => sum + one.files, 0),
      bytes: held.reduce((sum, one) => sum + one.bytes, 0),
      mixed: others ? 1 : 0,
      deleted_by: actor.userId,
      deleted_at: now.toISOString(),
      purge_at: purgeAt.toISOString(),
    };
  });
  for (let at = 0; at < rows.length; at += ROWS) {
    const some = rows.slice(at, at + ROWS);
    const columns = Object.keys(some[0]!);
    await execute(
      trx,
      `INSERT INTO trash (${columns.join(', ')}) VALUES ${valueRows(some, columns.length)}`,
      some.flatMap((row) => Object.values(row)),
    );
  }

  const totals = sumByType(weights);
  const files = totals.filter(({ file_type }) => file_type !== '');
  for (const { file_type, files: count, bytes } of files)
    await usage.count(trx, actor.firmId, { file_type, files: -count, bytes: -bytes });
  await usage.countTrash(trx, actor.firmId, {
    items: rows.length,
    files: rows.reduce((sum, one) => sum + one.files, 0),
    bytes: rows.reduce((sum, one) => sum + one.bytes, 0),
  });
  return totals;
}

export function sumByType(parts: readonly usage.TypeTotal[]): usage.TypeTotal[] {
  const sums = new Map<string, usage.TypeTotal>();
  for (const { file_type, files, bytes } of parts) {
    const sum = sums.get(file_type) ?? { file_type, files: 0, bytes: 0 };
    sums.set(file_type, { file_type, files: sum.files + files, bytes: sum.bytes + bytes });
  }
  return [...sums.values()];
}

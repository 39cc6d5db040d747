import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import {
  BOUND_IDS,
  boundTupleRows,
  boundIdRows,
  execute,
  bindList,
  numberOf,
  queryRows,
  valueRows,
} from '#server/db/sql.ts';
import { freeNames } from '#server/records/hidden.ts';
import { countScopes } from '#server/records/scope-usage.ts';
import * as usage from '#server/records/usage.ts';
import { fold } from '#server/text/fold.ts';
import type { Top } from './sizes.ts';
import { byScope, foldersIn, sumByType, TOP, weigh } from './sizes.ts';

/** A folder above an item in Trash, as it was at the deletion. */
export interface FolderAbove {
  id: number;
  name: string;
  /** The folder's own client, restored if the folder has to be recreated. */
  client_id: number | null;
  /** Client to whom it belonged; 0 for none. */
  scope: number;
}

const ROWS = 300;

/** The path to each folder, root first, the folder itself last. */
async function pathsTo(trx: Knex.Transaction, ids: ReadonlySet<number>): Promise<Map<number, FolderAbove[]>> {
  const rows = await queryRows<FolderAbove & { start: number }>(
    trx,
    `WITH RECURSIVE up(start, id, name, parent_id, client_id, scope, height) AS (
       SELECT id, id, name, parent_id, client_id, scope_client_id, 0 FROM items WHERE id IN (${BOUND_IDS})
       UNION ALL
       SELECT start, i.id, i.name, i.parent_id, i.client_id, i.scope_client_id, height + 1
       FROM up CROSS JOIN items i WHERE i.id = up.parent_id
     ) SELECT start, id, name, client_id, scope FROM up ORDER BY start, height DESC`,
    [bindList(ids)],
  );
  const ways = new Map<number, FolderAbove[]>();
  for (const { start, ...folder } of rows) ways.set(start, [...(ways.get(start) ?? []), folder]);
  return ways;
}

/** Hides the items and their contents. Contents that were deleted earlier stay separate entries. */
async function hide(
  trx: Knex.Transaction,
  tops: readonly Top[],
  folders: readonly { root: number; id: number }[],
): Promise<void> {
  const [root, id] = [0, 1].map((index) => numberOf('f.value', index));
  await execute(
    trx,
    // The path is stored once per folder, not once per item.
    `WITH f(root, id) AS MATERIALIZED (SELECT ${root}, ${id} FROM ${boundTupleRows('f')})
     INSERT INTO hidden_items (item_id, trash) SELECT c.id, f.root FROM f CROSS JOIN item_rows c
     WHERE c.parent_id = f.id ORDER BY c.id ON CONFLICT DO NOTHING`,
    [bindList(folders.map((folder) => [folder.root, folder.id]))],
  );
  await execute(
    trx,
    `INSERT INTO hidden_items (item_id, trash) SELECT f.value, f.value FROM ${boundIdRows('f')}`,
    [bindList(tops.map((top) => top.id))],
  );
}

/**
 * Moves items with their contents to Trash, in constant time: they are invisible immediately, and their names are free.
 * The firm's used storage does not change. The caller has checked that the items belong to the firm.
 * @param purgeAt end of the stay in Trash.
 * @returns totals of the moved files by type; folders under ''.
 */
export async function putInTrash(
  trx: Knex.Transaction,
  actor: Actor,
  ids: readonly number[],
  { now, purgeAt }: { now: Date; purgeAt: Date },
): Promise<usage.TypeTotal[]> {
  const chosen = await queryRows<Top>(
    trx,
    `SELECT ${TOP} FROM items WHERE id IN (${BOUND_IDS}) ORDER BY id`,
    [bindList(ids)],
  );
  const ways = await pathsTo(trx, new Set(chosen.flatMap(({ parent_id }) => parent_id ?? [])));
  const wayOf = ({ parent_id }: Top) => (parent_id === null ? [] : (ways.get(parent_id) ?? []));
  // An item chosen together with a folder above it is part of that folder's entry.
  const all = new Set(ids);
  const tops = chosen.filter((top) => !wayOf(top).some(({ id }) => all.has(id)));

  const folders = await foldersIn(trx, tops);
  const weights = await weigh(trx, tops, folders);
  await countScopes(trx, actor.firmId, await byScope(trx, weights), -1);
  await hide(trx, tops, folders);
  await freeNames(
    trx,
    tops.map(({ id }) => id),
  );

  const byRoot = Map.groupBy(weights, ({ root }) => root);
  const rows = tops.map((top) => {
    const weights = byRoot.get(top.id) ?? [];
    const held = weights.filter(({ file_type }) => file_type !== '');
    // Without a client of its own the item belongs to that of the folder it came from, which may change while it is here.
    const own = top.client_id === null ? null : top.scope_client_id;
    const others = weights.some(({ least, most }) =>
      [least, most].some((client) => client !== null && client !== own),
    );
    return {
      item_id: top.id,
      firm_id: actor.firmId,
      folded_name: fold(top.name),
      sort_key: top.sort_key,
      folders: JSON.stringify(wayOf(top)),
      // For a version before this one, which counts by it when it restores the item.
      totals: JSON.stringify(sumByType(held).map(({ file_type, files, bytes }) => [file_type, files, bytes])),
      files: held.reduce((sum, weight) => sum + weight.files, 0),
      bytes: held.reduce((sum, weight) => sum + weight.bytes, 0),
      mixed: others ? 1 : 0,
      deleted_by: actor.userId,
      // The sender of a file who takes it back acts by the link of a user.
      sender: actor.recipient?.name ?? null,
      deleted_at: now.toISOString(),
      purge_at: purgeAt.toISOString(),
    };
  });
  for (let start = 0; start < rows.length; start += ROWS) {
    const some = rows.slice(start, start + ROWS);
    const columns = Object.keys(some[0]!);
    await execute(
      trx,
      `INSERT INTO trash (${columns.join(', ')}) VALUES ${valueRows(some, columns.length)}`,
      some.flatMap((row) => Object.values(row)),
    );
  }

  const totals = sumByType(weights);
  await usage.countTrash(trx, actor.firmId, {
    items: rows.length,
    files: rows.reduce((sum, row) => sum + row.files, 0),
    bytes: rows.reduce((sum, row) => sum + row.bytes, 0),
  });
  return totals;
}

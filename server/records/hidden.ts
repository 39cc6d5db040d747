import type { Knex } from 'knex';
import { discard } from './blobs.ts';
import { ofDeadProcess, OWN_PROCESS } from '#server/db/processes.ts';
import { createAdaptiveBatches } from '#server/db/adaptive-batches.ts';
import { discardRenditions } from './renditions.ts';
import { EACH, execute, list, queryRows, valueRows } from '#server/db/sql.ts';
import { below } from '../documents/tree.ts';
import { discardUnused, freeVersions, purgeVersions } from './versions.ts';
import type { Clock } from '../clock.ts';
import { searchIndex } from '#server/search/index.ts';

/**
 * From here on the items and everything below them are there for nobody, and their names are free. Their rows are left
 * to `purge`.
 */
export async function hide(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  const tree = below(ids);
  await freeVersions(trx, `${tree.sql} SELECT id FROM below`, tree.bindings);
  await execute(trx, `${tree.sql} INSERT INTO hidden_items (item_id) SELECT id FROM below`, tree.bindings);
  await freeNames(trx, ids);
}

/** Others may have the names of these from now on. */
export async function freeNames(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  // No name holds a slash.
  await execute(trx, `UPDATE item_rows SET name_key = '/' || id WHERE id IN (${EACH})`, [list(ids)]);
}

/** What was moved to Trash under these items is shown again. Their own names have to be set right before. */
export async function showTrashed(trx: Knex.Transaction, roots: readonly number[]): Promise<void> {
  await execute(trx, `DELETE FROM hidden_items WHERE trash IN (${EACH})`, [list(roots)]);
}

/** Leaves what lies in Trash under these items to `purge`; what their versions took is free at once. */
export async function abandonTrashed(trx: Knex.Transaction, roots: readonly number[]): Promise<void> {
  await freeVersions(trx, `SELECT item_id FROM hidden_items WHERE trash IN (${EACH})`, [list(roots)]);
  await execute(trx, `UPDATE hidden_items SET trash = NULL WHERE trash IN (${EACH})`, [list(roots)]);
}

/** Rows that are being staged below the item `top`; nobody sees them before `show`. */
export async function hideStaged(trx: Knex.Transaction, top: number, ids: readonly number[]): Promise<void> {
  await execute(
    trx,
    `INSERT INTO hidden_items (item_id, planting, process) VALUES ${valueRows(ids, 3)}`,
    ids.flatMap((id) => [id, top, OWN_PROCESS]),
  );
}

/** All of a staged tree at once. */
export async function show(trx: Knex.Transaction, top: number): Promise<void> {
  await trx('hidden_items').where({ planting: top }).delete();
}

/** Leaves what is being staged below `top` to `purge`. What was shown meanwhile stays. */
export async function abandonStaged(trx: Knex.Transaction, top: number): Promise<void> {
  await trx('hidden_items').where({ planting: top }).update({ planting: null });
}

/** The same for all that was being staged by processes which are gone. */
export async function abandonStagedByGone(trx: Knex.Transaction): Promise<void> {
  const staged = trx('hidden_items').whereNotNull('planting').where(ofDeadProcess(trx));
  await staged.update({ planting: null });
}

/** Takes hidden rows away, with their search entries. */
export function createPurging({ db, clock }: { db: Knex; clock: Clock }) {
  const paced = createAdaptiveBatches();

  async function purgeSome(trx: Knex.Transaction, limit: number): Promise<number> {
    const rows = await leaves(trx, limit);
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    await searchIndex.removeAll(trx, ids);
    const versions = await purgeVersions(trx, ids);
    await trx('item_rows').whereIn('id', ids).delete();
    await trx('hidden_items').whereIn('item_id', ids).delete();
    const pictures = await discardRenditions(trx, rows);
    await discard(trx, [...rows.flatMap(({ blob_id }) => blob_id ?? []), ...pictures], clock());
    await discardUnused(trx, versions, clock());
    return rows.length;
  }

  return {
    /** Whether there is anything for `purge`. */
    anyHidden: async (): Promise<boolean> => (await leaves(db, 1)).length > 0,

    /**
     * Deletes some of the rows that are hidden for good, in a short transaction, and lists their bytes for the sweep.
     * @returns how many; to be called until there are none.
     */
    purge: (): Promise<number> => paced((rows) => db.transaction((trx) => purgeSome(trx, rows))),
  };
}

interface Leaf {
  id: number;
  firm_id: number;
  blob_id: string | null;
  sha256: string | null;
}

/**
 * Rows hidden for good in which nothing lies, not even what was deleted before and still is in Trash. The newest first:
 * most folders are older than what they hold.
 */
const leaves = (db: Knex, limit: number): Promise<Leaf[]> =>
  queryRows(
    db,
    `SELECT i.id, i.firm_id, i.blob_id, i.sha256 FROM hidden_items h JOIN item_rows i ON i.id = h.item_id
     WHERE h.planting IS NULL AND h.trash IS NULL AND NOT EXISTS (SELECT 1 FROM item_rows child WHERE child.parent_id = h.item_id)
     ORDER BY h.item_id DESC LIMIT ?`,
    [limit],
  );

import type { Knex } from 'knex';
import { discard } from './blobs.ts';
import { ofDeadProcess, OWN_PROCESS } from '#server/db/processes.ts';
import { createAdaptiveBatches } from '#server/db/adaptive-batches.ts';
import { discardRenditions } from './renditions.ts';
import { BOUND_IDS, execute, bindList, queryRows, valueRows } from '#server/db/sql.ts';
import { below } from '../documents/tree.ts';
import { discardUnused, freeVersions, purgeVersions } from './versions.ts';
import type { Clock } from '../clock.ts';
import { searchIndex } from '#server/search/index.ts';

/**
 * Hides the items and everything below them from everybody and frees their names. `purge` deletes the rows later.
 */
export async function hide(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  const tree = below(ids);
  await freeVersions(trx, `${tree.sql} SELECT id FROM below`, tree.bindings);
  await execute(trx, `${tree.sql} INSERT INTO hidden_items (item_id) SELECT id FROM below`, tree.bindings);
  await freeNames(trx, ids);
}

/** Frees the names of the items for other items of their folders. */
export async function freeNames(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  // A name cannot contain a slash, so this key is unique.
  await execute(trx, `UPDATE item_rows SET name_key = '/' || id WHERE id IN (${BOUND_IDS})`, [bindList(ids)]);
}

/** Shows again the items that were moved to Trash with these roots. The caller resolves conflicts of the roots' names first. */
export async function showTrashed(trx: Knex.Transaction, roots: readonly number[]): Promise<void> {
  await execute(trx, `DELETE FROM hidden_items WHERE trash IN (${BOUND_IDS})`, [bindList(roots)]);
}

/** Leaves the items in Trash under these roots to `purge`; the bytes of their versions no longer count from now on. */
export async function abandonTrashed(trx: Knex.Transaction, roots: readonly number[]): Promise<void> {
  await freeVersions(trx, `SELECT item_id FROM hidden_items WHERE trash IN (${BOUND_IDS})`, [
    bindList(roots),
  ]);
  await execute(trx, `UPDATE hidden_items SET trash = NULL WHERE trash IN (${BOUND_IDS})`, [bindList(roots)]);
}

/** Hides rows staged below the item `top` until `show`. */
export async function hideStaged(trx: Knex.Transaction, top: number, ids: readonly number[]): Promise<void> {
  await execute(
    trx,
    `INSERT INTO hidden_items (item_id, planting, process) VALUES ${valueRows(ids, 3)}`,
    ids.flatMap((id) => [id, top, OWN_PROCESS]),
  );
}

/** Makes a staged tree visible in one statement. */
export async function show(trx: Knex.Transaction, top: number): Promise<void> {
  await trx('hidden_items').where({ planting: top }).delete();
}

/** Leaves the rows staged below `top` to `purge`. Rows already shown stay. */
export async function abandonStaged(trx: Knex.Transaction, top: number): Promise<void> {
  await trx('hidden_items').where({ planting: top }).update({ planting: null });
}

/** Leaves all rows staged by dead processes to `purge`. */
export async function abandonStagedByGone(trx: Knex.Transaction): Promise<void> {
  const staged = trx('hidden_items').whereNotNull('planting').where(ofDeadProcess(trx));
  await staged.update({ planting: null });
}

/** Deletes hidden rows and their search entries. */
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
    /** Whether `purge` has rows to delete. */
    anyHidden: async (): Promise<boolean> => (await leaves(db, 1)).length > 0,

    /**
     * Deletes a batch of permanently hidden rows in a short transaction and discards their blobs.
     * @returns the number of rows; 0 when all are purged.
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
 * Permanently hidden rows without children, not even hidden ones or ones in Trash. Newest first: most folders are older
 * than their contents, so this order reaches leaves first.
 */
const leaves = (db: Knex, limit: number): Promise<Leaf[]> =>
  queryRows(
    db,
    `SELECT i.id, i.firm_id, i.blob_id, i.sha256 FROM hidden_items h JOIN item_rows i ON i.id = h.item_id
     WHERE h.planting IS NULL AND h.trash IS NULL AND NOT EXISTS (SELECT 1 FROM item_rows child WHERE child.parent_id = h.item_id)
     ORDER BY h.item_id DESC LIMIT ?`,
    [limit],
  );

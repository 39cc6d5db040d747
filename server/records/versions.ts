import type { Knex } from 'knex';
import { BOUND_IDS, BOUND_TEXTS, execute, bindList, queryRow, queryRows } from '#server/db/sql.ts';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { inScope, seesAll } from '#server/visibility/visible.ts';
import { discard } from './blobs.ts';
import { discardRenditions } from './renditions.ts';

/** Bytes of a firm's earlier versions, including those of files in Trash. */
export async function inVersions(db: Knex, firmId: number): Promise<number> {
  const row = await db('version_usage').where({ firm_id: firmId }).first('bytes');
  return Number(row?.bytes ?? 0);
}

/** Like `inVersions`, limited to the files that the actor may see, in Trash or not. */
export async function versionBytesOf(db: Knex, actor: FirmViewer): Promise<number> {
  if (seesAll(actor)) return inVersions(db, actor.firmId);
  const row = await queryRow<{ bytes: number }>(
    db,
    `SELECT coalesce(sum(v.bytes), 0) AS bytes FROM versions v CROSS JOIN item_rows i
     WHERE v.firm_id = ? AND i.id = v.item_id AND ${inScope(actor, 'i')}`,
    [actor.firmId],
  );
  return Number(row!.bytes);
}

/** Adds to the bytes of a firm's earlier versions, or subtracts with a negative number, in the transaction that changes them. */
export async function countVersions(trx: Knex.Transaction, firmId: number, bytes: number): Promise<void> {
  if (bytes === 0) return;
  await execute(
    trx,
    `INSERT INTO version_usage (firm_id, bytes) VALUES (?, ?)
     ON CONFLICT (firm_id) DO UPDATE SET bytes = version_usage.bytes + excluded.bytes`,
    [firmId, bytes],
  );
}

/**
 * Stops counting the bytes of the versions of some items, whose rows `purge` deletes later.
 * @param items SQL that selects the items' ids.
 */
export async function freeVersions(
  trx: Knex.Transaction,
  items: string,
  bindings: readonly Knex.RawBinding[],
): Promise<void> {
  const rows = await queryRows<{ firm_id: number; bytes: number }>(
    trx,
    `SELECT firm_id, sum(bytes) AS bytes FROM versions WHERE bytes > 0 AND item_id IN (${items}) GROUP BY firm_id`,
    bindings,
  );
  for (const { firm_id, bytes } of rows) await countVersions(trx, firm_id, -Number(bytes));
  if (rows.length > 0)
    await execute(trx, `UPDATE versions SET bytes = 0 WHERE item_id IN (${items})`, bindings);
}

interface Content {
  id: number;
  item_id: number;
  firm_id: number;
  blob_id: string;
  sha256: string;
  bytes: number;
}

/**
 * Deletes versions permanently, with blobs and renditions that nothing else references. Their bytes no longer count from
 * now on; if another version has the same content, its bytes count instead.
 */
export async function deleteVersions(
  trx: Knex.Transaction,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  const deleted = await queryRows<Content>(
    trx,
    `DELETE FROM versions WHERE id IN (${BOUND_IDS}) RETURNING id, item_id, firm_id, blob_id, sha256, bytes`,
    [bindList(ids)],
  );
  for (const [firmId, contents] of Map.groupBy(deleted, ({ firm_id }) => firm_id))
    await countVersions(trx, firmId, -contents.reduce((sum, { bytes }) => sum + Number(bytes), 0));
  await countRemaining(
    trx,
    deleted.filter(({ bytes }) => Number(bytes) > 0).map(({ blob_id }) => blob_id),
  );
  await discardUnused(trx, deleted, now);
}

/** Counts the content of several versions once, at the oldest of them, unless a file has the same content. */
async function countRemaining(trx: Knex.Transaction, blobIds: readonly string[]): Promise<void> {
  if (blobIds.length === 0) return;
  const rows = await queryRows<{ firm_id: number; bytes: number }>(
    trx,
    `UPDATE versions SET bytes = file_size WHERE id IN (
       SELECT min(v.id) FROM versions v WHERE v.blob_id IN (${BOUND_TEXTS})
         AND NOT EXISTS (SELECT 1 FROM item_rows i WHERE i.blob_id = v.blob_id)
       GROUP BY v.blob_id HAVING sum(v.bytes) = 0)
     RETURNING firm_id, bytes`,
    [bindList(blobIds)],
  );
  for (const { firm_id, bytes } of rows) await countVersions(trx, firm_id, Number(bytes));
}

/** Discards the contents of deleted versions that no file or version references any more. */
export async function discardUnused(
  trx: Knex.Transaction,
  contents: readonly Pick<Content, 'firm_id' | 'blob_id' | 'sha256'>[],
  now: Date,
): Promise<void> {
  if (contents.length === 0) return;
  const blobs = bindList(new Set(contents.map(({ blob_id }) => blob_id)));
  const used = await queryRows<{ blob_id: string }>(
    trx,
    `SELECT blob_id FROM versions WHERE blob_id IN (${BOUND_TEXTS})
     UNION SELECT blob_id FROM item_rows WHERE blob_id IN (${BOUND_TEXTS})`,
    [blobs, blobs],
  );
  const referenced = new Set(used.map(({ blob_id }) => blob_id));
  const lost = contents.filter(({ blob_id }) => !referenced.has(blob_id));
  const pictures = await discardRenditions(trx, lost);
  await discard(trx, [...lost.map(({ blob_id }) => blob_id), ...pictures], now);
}

/**
 * Deletes the versions of items whose rows are about to be deleted.
 * @returns their contents, for `discardUnused` after the items' rows are deleted.
 */
export async function purgeVersions(
  trx: Knex.Transaction,
  items: readonly number[],
): Promise<Pick<Content, 'firm_id' | 'blob_id' | 'sha256'>[]> {
  const ids = bindList(items);
  await freeVersions(trx, BOUND_IDS, [ids]);
  await execute(trx, `DELETE FROM present_contents WHERE item_id IN (${BOUND_IDS})`, [ids]);
  return queryRows(
    trx,
    `DELETE FROM versions WHERE item_id IN (${BOUND_IDS}) RETURNING firm_id, blob_id, sha256`,
    [ids],
  );
}

/** Differences between the running totals of versions and the versions; empty if they agree. */
export const recountVersions = (db: Knex): Promise<{ firm_id: number; bytes: number }[]> =>
  queryRows(
    db,
    `SELECT firm_id, sum(bytes) AS bytes FROM (
       SELECT firm_id, bytes FROM versions UNION ALL SELECT firm_id, -bytes FROM version_usage
     ) AS both_sides GROUP BY firm_id HAVING sum(bytes) <> 0`,
  );

import type { Knex } from 'knex';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { seesAll } from '#server/visibility/visible.ts';
import { below } from '../documents/tree.ts';
import { execute, queryRow, queryRows } from '#server/db/sql.ts';
import { visibleTotal, visibleTotals } from './scope-usage.ts';

/** A firm's files of one type. */
export interface TypeTotal {
  file_type: string;
  files: number;
  bytes: number;
}

const USED = `coalesce((SELECT sum(bytes) FROM firm_usage WHERE firm_id = ?), 0)
  + coalesce((SELECT bytes FROM trash_usage WHERE firm_id = ?), 0)
  + coalesce((SELECT bytes FROM version_usage WHERE firm_id = ?), 0)`;
const TAKEN = `${USED} + coalesce((SELECT sum(bytes) FROM storage_reservations WHERE firm_id = ?), 0)`;

/** SQL for `taken`. */
export const takenBytes = (firmId: number) => ({
  sql: TAKEN,
  bindings: [firmId, firmId, firmId, firmId],
});

/** Bytes of the firm's files, including Trash and earlier versions. */
export async function used(db: Knex, firmId: number): Promise<number> {
  const bindings = [firmId, firmId, firmId];
  const row = await queryRow<{ bytes: number }>(db, `SELECT ${USED} AS bytes`, bindings);
  return Number(row!.bytes);
}

/** Bytes that are not free for new files: `used`, and what is reserved for work in progress. */
export async function taken(db: Knex, firmId: number): Promise<number> {
  const { sql, bindings } = takenBytes(firmId);
  const row = await queryRow<{ bytes: number }>(db, `SELECT ${sql} AS bytes`, bindings);
  return Number(row!.bytes);
}

/** A firm's Trash: the deleted items, and the files in all of them. */
interface TrashTotal {
  items: number;
  files: number;
  bytes: number;
}

/** The whole firm's Trash, from the running totals. */
export async function inTrash(db: Knex, firmId: number): Promise<TrashTotal> {
  const row: TrashTotal | undefined = await db('trash_usage')
    .where({ firm_id: firmId })
    .first('items', 'files', 'bytes');
  return row ?? { items: 0, files: 0, bytes: 0 };
}

/** Adds to the totals of Trash, or subtracts with negative numbers, in the transaction that changes Trash. */
export async function countTrash(trx: Knex.Transaction, firmId: number, change: TrashTotal): Promise<void> {
  await execute(
    trx,
    `INSERT INTO trash_usage (firm_id, items, files, bytes) VALUES (?, ?, ?, ?)
     ON CONFLICT (firm_id) DO UPDATE SET items = trash_usage.items + excluded.items,
       files = trash_usage.files + excluded.files, bytes = trash_usage.bytes + excluded.bytes`,
    [firmId, change.items, change.files, change.bytes],
  );
}

/** The number and bytes of the files that the actor sees. */
export async function total(db: Knex, actor: FirmViewer): Promise<Omit<TypeTotal, 'file_type'>> {
  if (!seesAll(actor)) return visibleTotal(db, actor);
  const { firmId } = actor;
  const sums = db('firm_usage').where({ firm_id: firmId }).sum({ files: 'files', bytes: 'bytes' });
  const row = await sums.first();
  return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/** Totals per type of the files that the actor sees, largest first. */
export async function totals(db: Knex, actor: FirmViewer): Promise<TypeTotal[]> {
  if (!seesAll(actor)) return visibleTotals(db, actor);
  const { firmId } = actor;
  return db('firm_usage')
    .where({ firm_id: firmId })
    .andWhere('files', '>', 0)
    .orderBy([{ column: 'bytes', order: 'desc' }, 'file_type'])
    .select('file_type', 'files', 'bytes');
}

/** Corrects the totals, which triggers of the database count as the sum of `scope_usage`. */
export async function count(trx: Knex.Transaction, firmId: number, change: TypeTotal): Promise<void> {
  await execute(
    trx,
    `INSERT INTO firm_usage (firm_id, file_type, files, bytes) VALUES (?, ?, ?, ?)
     ON CONFLICT (firm_id, file_type) DO UPDATE
     SET files = firm_usage.files + excluded.files, bytes = firm_usage.bytes + excluded.bytes`,
    [firmId, change.file_type, change.files, change.bytes],
  );
}

/** Totals per type of the items and everything below them; folders have the type `''`. */
export async function weigh(trx: Knex.Transaction, ids: readonly number[]): Promise<TypeTotal[]> {
  const tree = below(ids);
  return queryRows(
    trx,
    `${tree.sql} SELECT coalesce(file_type, '') AS file_type, count(*) AS files, coalesce(sum(file_size), 0) AS bytes
     FROM below GROUP BY 1`,
    tree.bindings,
  );
}

/** Differences between the running totals and the files; empty if they agree. */
export async function recount(db: Knex): Promise<(TypeTotal & { firm_id: number })[]> {
  return queryRows(
    db,
    `SELECT firm_id, file_type, sum(files) AS files, sum(bytes) AS bytes FROM (
       SELECT firm_id, file_type, count(*) AS files, sum(file_size) AS bytes
       FROM items WHERE type = 'file' GROUP BY firm_id, file_type
       UNION ALL
       SELECT firm_id, file_type, -files, -bytes FROM firm_usage
     ) AS both_sides GROUP BY firm_id, file_type HAVING sum(files) <> 0 OR sum(bytes) <> 0`,
  );
}

/** Differences between the totals of Trash and the items in it; empty if they agree. */
export const recountTrash = (db: Knex): Promise<(TrashTotal & { firm_id: number })[]> =>
  queryRows(
    db,
    `SELECT firm_id, sum(items) AS items, sum(files) AS files, sum(bytes) AS bytes FROM (
       SELECT firm_id, count(*) AS items, 0 AS files, 0 AS bytes FROM trash GROUP BY firm_id
       UNION ALL
       SELECT i.firm_id, 0, sum(CASE WHEN i.type = 'file' THEN 1 ELSE 0 END), coalesce(sum(i.file_size), 0)
       FROM hidden_items h JOIN item_rows i ON i.id = h.item_id WHERE h.trash IS NOT NULL GROUP BY i.firm_id
       UNION ALL
       SELECT firm_id, -items, -files, -bytes FROM trash_usage
     ) AS both_sides GROUP BY firm_id HAVING sum(items) <> 0 OR sum(files) <> 0 OR sum(bytes) <> 0`,
  );

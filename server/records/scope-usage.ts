import type { Knex } from 'knex';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { inScope } from '#server/visibility/visible.ts';
import { boundTupleRows, execute, bindList, numberOf, queryRow, queryRows, textOf } from '#server/db/sql.ts';
import type { TypeTotal } from './usage.ts';

// `scope_usage`: running totals of each client's files by type; client 0 stands for files without a client. Database triggers
// maintain them, except for moves to and from Trash, which `countScopes` counts once per tree.

/** Totals per type of the files that an actor with limited access sees, largest first. */
export const visibleTotals = (db: Knex, actor: FirmViewer): Promise<TypeTotal[]> =>
  queryRows(
    db,
    `SELECT file_type, sum(items) AS files, sum(bytes) AS bytes FROM scope_usage
     WHERE firm_id = ? AND ${inScope(actor, '')} GROUP BY file_type ORDER BY 3 DESC, 1`,
    [actor.firmId],
  );

/** The sums of `visibleTotals`. */
export async function visibleTotal(db: Knex, actor: FirmViewer): Promise<Omit<TypeTotal, 'file_type'>> {
  const row = await queryRow<Omit<TypeTotal, 'file_type'>>(
    db,
    `SELECT coalesce(sum(items), 0) AS files, coalesce(sum(bytes), 0) AS bytes FROM scope_usage
     WHERE firm_id = ? AND ${inScope(actor, '')}`,
    [actor.firmId],
  );
  return row!;
}

/** The files of one client and one type. */
export interface ScopeTotal {
  scope_client_id: number;
  file_type: string;
  files: number;
  bytes: number;
}

const ADD = `ON CONFLICT (firm_id, scope_client_id, file_type)
  DO UPDATE SET items = scope_usage.items + excluded.items, bytes = scope_usage.bytes + excluded.bytes`;
const INTO = 'INSERT INTO scope_usage (firm_id, scope_client_id, file_type, items, bytes)';

/** Adds the files restored from Trash to the totals; with `sign` -1 subtracts the files moved to Trash. */
export async function countScopes(
  trx: Knex.Transaction,
  firmId: number,
  totals: readonly ScopeTotal[],
  sign: 1 | -1,
): Promise<void> {
  if (totals.length === 0) return;
  const sums = [2, 3].map((index) => numberOf('one.value', index)).join(', ');
  const columns = `${numberOf('one.value', 0)}, ${textOf('one.value', 1)}, ${sums}`;
  const rows = totals.map(({ scope_client_id, file_type, files, bytes }) => [
    scope_client_id,
    file_type,
    sign * files,
    sign * bytes,
  ]);
  // Without WHERE, SQLite's parser takes ON CONFLICT for the ON of a join.
  await execute(trx, `${INTO} SELECT ?, ${columns} FROM ${boundTupleRows('one')} WHERE true ${ADD}`, [
    firmId,
    bindList(rows),
  ]);
}

const COUNTED = `SELECT firm_id, scope_client_id, file_type, count(*) AS items, coalesce(sum(file_size), 0) AS bytes
  FROM items WHERE file_type IS NOT NULL GROUP BY 1, 2, 3`;

/** Clients whose running totals differ from their items; empty if all agree. */
export const recountScopeUsage = (db: Knex): Promise<{ firm_id: number; scope_client_id: number }[]> =>
  queryRows(
    db,
    `SELECT DISTINCT firm_id, scope_client_id FROM (
       SELECT firm_id, scope_client_id, file_type FROM (
         ${COUNTED}
         UNION ALL
         SELECT firm_id, scope_client_id, file_type, -items, -bytes FROM scope_usage
       ) AS both_sides GROUP BY firm_id, scope_client_id, file_type HAVING sum(items) <> 0 OR sum(bytes) <> 0
     ) AS differing ORDER BY 1, 2`,
  );

/** Recomputes the totals; called after the client of every item is correct. */
export async function mendScopeUsage(trx: Knex.Transaction): Promise<void> {
  await trx('scope_usage').delete();
  await execute(trx, `${INTO} ${COUNTED}`);
}

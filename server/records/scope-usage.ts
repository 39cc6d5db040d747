import type { Knex } from 'knex';
import type { FirmSeer } from '#server/visibility/visible.ts';
import { inScope } from '#server/visibility/visible.ts';
import { execute, queryRow, queryRows } from '#server/db/sql.ts';
import type { TypeTotal } from './usage.ts';

// The running totals of each client's items, which triggers of the database keep: `scope_usage` holds how many there are
// of each type, folders under '', and their bytes. Client 0 is nobody.

/** Files that an actor sees who does not see all, per type, the largest first. */
export const visibleTotals = (db: Knex, actor: FirmSeer): Promise<TypeTotal[]> =>
  queryRows(
    db,
    `SELECT file_type, sum(items) AS files, sum(bytes) AS bytes FROM scope_usage
     WHERE firm_id = ? AND ${inScope(actor, '')} AND file_type <> '' GROUP BY file_type ORDER BY 3 DESC, 1`,
    [actor.firmId],
  );

/** The sums of `visibleTotals`. */
export async function visibleTotal(db: Knex, actor: FirmSeer): Promise<Omit<TypeTotal, 'file_type'>> {
  const row = await queryRow<Omit<TypeTotal, 'file_type'>>(
    db,
    `SELECT coalesce(sum(items), 0) AS files, coalesce(sum(bytes), 0) AS bytes FROM scope_usage
     WHERE firm_id = ? AND ${inScope(actor, '')} AND file_type <> ''`,
    [actor.firmId],
  );
  return row!;
}

const COUNTED = `SELECT firm_id, scope_client_id, coalesce(file_type, '') AS file_type, count(*) AS items,
  coalesce(sum(file_size), 0) AS bytes FROM items GROUP BY 1, 2, 3`;

/** Clients of whose items the running totals say something else than the items themselves; empty when all is well. */
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

/** Sets them right; to be called once it is known to whom each item belongs. */
export async function mendScopeUsage(trx: Knex.Transaction): Promise<void> {
  await trx('scope_usage').delete();
  await execute(
    trx,
    `INSERT INTO scope_usage (firm_id, scope_client_id, file_type, items, bytes) ${COUNTED}`,
  );
}

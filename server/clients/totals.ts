import type { Knex } from 'knex';
import type { FirmViewer } from '#server/visibility/visible.ts';
import { andVisibleClient, seesAll } from '#server/visibility/visible.ts';
import type { ClientStatus, ClientTotals, ClientType } from './contract.ts';
import { execute, queryRow, queryRows } from '#server/db/sql.ts';

export interface Kind {
  client_type: ClientType;
  status: ClientStatus;
}

/** Adds to the running total of a kind (a negative number subtracts), in the transaction that changes the rows. */
export async function count(
  trx: Knex.Transaction,
  firmId: number,
  kind: Kind,
  clients: number,
): Promise<void> {
  await execute(
    trx,
    `INSERT INTO client_totals (firm_id, client_type, status, clients) VALUES (?, ?, ?, ?)
     ON CONFLICT (firm_id, client_type, status) DO UPDATE SET clients = client_totals.clients + excluded.clients`,
    [firmId, kind.client_type, kind.status, clients],
  );
}

/** Totals of the clients that the actor sees; an actor who sees all gets the running totals. */
export async function totals(db: Knex, actor: FirmViewer): Promise<ClientTotals> {
  const clients = `(SELECT client_type, status, 1 AS clients FROM clients WHERE firm_id = ?${andVisibleClient(actor)}) AS own`;
  const row = await queryRow<ClientTotals>(
    db,
    `SELECT coalesce(sum(clients), 0) AS total,
       coalesce(sum(CASE status WHEN 'Active' THEN clients END), 0) AS active,
       coalesce(sum(CASE client_type WHEN 'Company' THEN clients END), 0) AS companies
     FROM ${seesAll(actor) ? 'client_totals WHERE firm_id = ?' : clients}`,
    [actor.firmId],
  );
  return row!;
}

/** Differences between running totals and actual rows; empty when correct. */
export async function recount(db: Knex): Promise<(Kind & { firm_id: number; clients: number })[]> {
  return queryRows(
    db,
    `SELECT firm_id, client_type, status, sum(clients) AS clients FROM (
       SELECT firm_id, client_type, status, count(*) AS clients FROM clients WHERE firm_id <> 0 GROUP BY 1, 2, 3
       UNION ALL
       SELECT firm_id, client_type, status, -clients FROM client_totals
     ) AS both_sides GROUP BY 1, 2, 3 HAVING sum(clients) <> 0`,
  );
}

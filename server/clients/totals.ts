import type { Knex } from 'knex';
import type { ClientStatus, ClientTotals, ClientType } from './contract.ts';

export interface Kind {
  client_type: ClientType;
  status: ClientStatus;
}

/** Adds clients of a kind (or with a negative number takes them away), in the transaction that changes their rows. */
export async function count(trx: Knex, firmId: number, kind: Kind, clients: number): Promise<void> {
  await trx.raw(
    `INSERT INTO client_totals (firm_id, client_type, status, clients) VALUES (?, ?, ?, ?)
     ON CONFLICT (firm_id, client_type, status) DO UPDATE SET clients = client_totals.clients + excluded.clients`,
    [firmId, kind.client_type, kind.status, clients],
  );
}

export async function totals(trx: Knex, firmId: number): Promise<ClientTotals> {
  const rows: (Kind & { clients: number })[] = await trx('client_totals').where({ firm_id: firmId });
  const sum = (which: (kind: Kind) => boolean) =>
    rows.reduce((total, row) => total + (which(row) ? row.clients : 0), 0);
  return {
    total: sum(() => true),
    active: sum(({ status }) => status === 'Active'),
    companies: sum(({ client_type }) => client_type === 'Company'),
  };
}

/** Where the running totals differ from the clients themselves; empty when all is well. */
export async function recount(trx: Knex): Promise<(Kind & { firm_id: number; clients: number })[]> {
  return trx.raw(
    `SELECT firm_id, client_type, status, sum(clients) AS clients FROM (
       SELECT firm_id, client_type, status, count(*) AS clients FROM clients GROUP BY 1, 2, 3
       UNION ALL
       SELECT firm_id, client_type, status, -clients FROM client_totals
     ) AS both_sides GROUP BY 1, 2, 3 HAVING sum(clients) <> 0`,
  );
}

import type { Knex } from 'knex';

/** A row of portals, with its firm, its client and its maker. */
export interface PortalRow {
  id: number;
  firm_id: number;
  client_id: number;
  made_by: number;
  seed: string;
  token_hash: string;
  former_hash: string | null;
  opened: number;
  last_opened_at: string | null;
  last_opened_ip: string | null;
  last_opened_by: string | null;
  revoked_at: string | null;
  created_at: string;
  client: string;
  client_email: string | null;
  client_phone: string | null;
  firm: string;
  maker: string;
}

/** Pages that are not ended, of clients that are there. */
export const portalsOf = (db: Knex) =>
  db('portals as p')
    .join('clients as c', (on) => on.on('c.id', 'p.client_id').andOn('c.firm_id', 'p.firm_id'))
    .join('firms as f', 'f.id', 'p.firm_id')
    .join('users as u', 'u.id', 'p.made_by')
    .whereNull('p.revoked_at')
    .select(
      'p.*',
      'c.name as client',
      'c.email as client_email',
      'c.phone as client_phone',
      'f.name as firm',
      'u.name as maker',
    );

/** Whether an address opens the page: the client's own, or one that the office has added. */
export async function opensFor(
  db: Knex,
  { id, client_email }: Pick<PortalRow, 'id' | 'client_email'>,
  email: string,
): Promise<boolean> {
  const added = await db('portal_emails').where({ portal_id: id, email }).first('id');
  return added !== undefined || client_email?.trim().toLowerCase() === email;
}

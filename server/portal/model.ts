import type { Knex } from 'knex';
import type { Language } from '#server/text/language.ts';
import { BOUND_IDS, bindList, queryRows } from '#server/db/sql.ts';

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
  client_language: Language;
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
      'c.language as client_language',
      'f.name as firm',
      'u.name as maker',
    );

/** Which of these clients have a page that is not ended. */
export async function clientsWithPage(db: Knex, clientIds: Iterable<number>): Promise<Set<number>> {
  const rows = await queryRows<{ client_id: number }>(
    db,
    `SELECT client_id FROM portals WHERE revoked_at IS NULL AND client_id IN (${BOUND_IDS})`,
    [bindList(clientIds)],
  );
  return new Set(rows.map(({ client_id }) => client_id));
}

/** Whether an address opens the page: the client's own, or one that the office has added. */
export async function opensFor(
  db: Knex,
  { id, client_email }: Pick<PortalRow, 'id' | 'client_email'>,
  email: string,
): Promise<boolean> {
  const added = await db('portal_emails').where({ portal_id: id, email }).first('id');
  return added !== undefined || client_email?.trim().toLowerCase() === email;
}

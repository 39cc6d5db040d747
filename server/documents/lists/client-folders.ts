import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { BOUND_IDS, bindList, queryManyRows } from '#server/db/sql.ts';
import { andVisible } from '#server/visibility/visible.ts';
import { requirePermission } from '../rows.ts';

/** A folder of a client. `path` has its name and those of the client's folders above it, outermost first. */
export interface ClientFolder {
  id: number;
  client_id: number;
  path: string[];
}

/** Maximum number of folders read for all requested clients together. */
const MAX_FOLDERS = 20_000;

/** The visible, unsealed folders of these clients. @throws {AppError} 403. */
export async function foldersOfClients(
  db: Knex,
  actor: Actor,
  clients: Iterable<number>,
): Promise<ClientFolder[]> {
  requirePermission(actor, 'documents.read');
  interface Row {
    id: number;
    name: string;
    parent_id: number | null;
    scope_client_id: number;
  }
  const rows = await queryManyRows<Row>(
    db,
    ['id', 'name', 'parent_id', 'scope_client_id'],
    `SELECT id, name, parent_id, scope_client_id FROM items WHERE firm_id = ? AND scope_client_id IN (${BOUND_IDS})
     AND file_type IS NULL AND sealed IS NULL${andVisible(actor)} LIMIT ${MAX_FOLDERS}`,
    [actor.firmId, bindList(clients)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const pathOf = ({ name, parent_id, scope_client_id }: Row): string[] => {
    const above = parent_id === null ? undefined : byId.get(parent_id);
    return above?.scope_client_id === scope_client_id ? [...pathOf(above), name] : [name];
  };
  return rows.map((row) => ({ id: row.id, client_id: row.scope_client_id, path: pathOf(row) }));
}

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { ClientScope, Permission, Role } from '#server/permissions.ts';
import { queryRows } from '#server/db/sql.ts';

/** An active user with the facts that decide about access. */
export interface Colleague {
  id: number;
  name: string;
  initials: string;
  role: Role;
  client_scope: ClientScope;
  permissions: readonly Permission[];
}

export interface PeopleDependencies {
  db: Knex;
  permissionsOf: (role: Role, given: readonly string[], taken: readonly string[]) => readonly Permission[];
  initials: (name: string) => string;
}

type Row = Pick<Colleague, 'id' | 'name' | 'role' | 'client_scope'> & {
  permissions: string;
  permissions_taken: string;
};

export async function colleagues(
  { permissionsOf, initials }: PeopleDependencies,
  db: Knex,
  { firmId }: Pick<Actor, 'firmId'>,
): Promise<Colleague[]> {
  const rows: Row[] = await db('users')
    .where({ firm_id: firmId, deactivated_at: null })
    .orderBy(['name', 'id'])
    .select('id', 'name', 'role', 'client_scope', 'permissions', 'permissions_taken');
  return rows.map(({ permissions, permissions_taken, ...row }) => ({
    ...row,
    initials: initials(row.name),
    permissions: permissionsOf(
      row.role,
      JSON.parse(permissions) as string[],
      JSON.parse(permissions_taken) as string[],
    ),
  }));
}

/** Whether a user sees the documents of all clients. */
export const hasAllClients = ({ role, client_scope }: Colleague): boolean =>
  role === 'admin' || client_scope === 'all';
export const mayRead = ({ permissions }: Colleague): boolean => permissions.includes('documents.read');

/** By user: whether they are assigned to the client directly, and by which of its groups. */
export async function assignedTo(
  db: Knex,
  clientId: number,
): Promise<Map<number, { direct: boolean; group: string | null }>> {
  const rows = await queryRows<{ user_id: number; group_name: string | null }>(
    db,
    `SELECT user_id, NULL AS group_name FROM user_clients WHERE client_id = ?
     UNION ALL
     SELECT g.user_id, g.group_name FROM user_client_groups g JOIN clients c
       ON c.firm_id = g.firm_id AND c.group_name = g.group_name WHERE c.id = ?`,
    [clientId, clientId],
  );
  const assignments = new Map<number, { direct: boolean; group: string | null }>();
  for (const { user_id, group_name } of rows) {
    const previous = assignments.get(user_id) ?? { direct: false, group: null };
    assignments.set(user_id, {
      direct: previous.direct || group_name === null,
      group: previous.group ?? group_name,
    });
  }
  return assignments;
}

import type { Knex } from 'knex';

/** The permissions of each role at the time of this migration; an admin has all. */
const STAFF = [
  'documents.read',
  'documents.write',
  'documents.delete',
  'documents.download',
  'clients.write',
];
const SETS: Record<string, string[]> = {
  manager: [...STAFF, 'documents.unassigned', 'share', 'history.read'],
  staff: STAFF,
  viewer: ['documents.read', 'documents.download'],
};

const listIn = (text: string) => JSON.parse(text) as string[];

/** Four roles instead of two: a member becomes staff, with no more than was granted before. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable(
    'users',
    (t) => void t.text('permissions_taken').notNullable().defaultTo('[]'),
  );
  const members: { id: number; permissions: string }[] = await knex('users')
    .where({ role: 'member' })
    .select('id', 'permissions');
  for (const { id, permissions } of members) {
    const granted = listIn(permissions);
    const taken = STAFF.filter((one) => !granted.includes(one));
    await knex('users')
      .where({ id })
      .update({ role: 'staff', permissions_taken: JSON.stringify(taken) });
  }
}

/** What a step down (`down`) deletes from a vault. */
export const lost = 'whether a user is a manager, staff or a viewer; what each may do stays';

export async function down(knex: Knex): Promise<void> {
  const users: { id: number; role: string; permissions: string; permissions_taken: string }[] = await knex(
    'users',
  )
    .whereNot({ role: 'admin' })
    .select('id', 'role', 'permissions', 'permissions_taken');
  for (const { id, role, permissions, permissions_taken } of users) {
    const taken = listIn(permissions_taken);
    const all = new Set([...(SETS[role] ?? []), ...listIn(permissions)]);
    const kept = [...all].filter((one) => !taken.includes(one));
    await knex('users')
      .where({ id })
      .update({ role: 'member', permissions: JSON.stringify(kept) });
  }
  await knex.raw('ALTER TABLE users DROP COLUMN permissions_taken');
}

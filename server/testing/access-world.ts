import type { Role } from '#server/permissions.ts';
import { ROLES } from '#server/permissions.ts';
import type { Fixtures } from './access-calls.ts';
import type { Build } from './build.ts';
import { forge } from '../archive/read/testing/forge.ts';
import { newLink } from '../sharing/testing/recipient.ts';
import type { World } from './world.ts';

/** A signed-in user. */
export type Account = Awaited<ReturnType<Build['colleague']>>;

/**
 * One firm with a user of every role, one with assigned clients and one who was deactivated, and the admin of
 * another firm.
 */
export async function accessWorld(world: World) {
  const { build, services, db } = world;
  const admin = (await build.account()) as Account;
  const roles = { admin } as Record<Role, Account>;
  for (const role of ROLES.slice(1)) roles[role] = await build.colleague(admin.actor, { role, name: role });
  // A manager for assigned clients only, without the items of no client.
  const assigned = await build.colleague(admin.actor, { role: 'manager', client_scope: 'assigned' });
  await db('users')
    .where({ id: assigned.actor.userId })
    .update({ permissions_taken: '["documents.unassigned"]' });
  const gone = await build.colleague(admin.actor, { role: 'admin', name: 'Gone' });
  // The session row stays: access must be refused because of the user, not only because deactivating deletes
  // sessions.
  await db('users').where({ id: gone.actor.userId }).update({ deactivated_at: world.now().toISOString() });
  const stranger = (await build.account({ firm_name: 'Another & Co' })) as Account;
  let count = 0;

  /**
   * Fixtures created by the admin.
   * @param client_id owner of the files; default: no client.
   * @param assign user to whom new clients are assigned.
   */
  const fixturesFor = (
    caller: Account,
    { client_id = null, assign }: { client_id?: number | null; assign?: Account } = {},
  ): Fixtures => ({
    admin,
    caller,
    file: async () => (await build.file(admin.actor, { name: `note ${(count += 1)}.txt`, client_id })).id,
    async trashed() {
      const { id } = await build.file(admin.actor, { name: `note ${(count += 1)}.txt`, client_id });
      await services.documents.remove(admin.actor, [id]);
      return id;
    },
    async version() {
      const file = { name: `note ${(count += 1)}.txt`, client_id };
      const { id } = await build.file(admin.actor, file);
      await build.file(admin.actor, { ...file, content: 'replaced', conflict: 'replace' });
      const { earlier } = await services.versions.list(admin.actor, id);
      return { item: id, version: earlier[0]!.id! };
    },
    zip: async () =>
      (
        await build.file(admin.actor, {
          name: `z ${(count += 1)}.zip`,
          client_id,
          content: forge([{ name: 'a.txt', data: Buffer.from('a') }]),
        })
      ).id,
    async client() {
      const id = await build.client(admin.actor, `Sharma ${(count += 1)}`);
      if (assign) await db('user_clients').insert({ user_id: assign.actor.userId, client_id: id });
      return id;
    },
    template: async () =>
      Number(
        (await services.templates.create(admin.actor, { name: `Set ${(count += 1)}`, outline: 'ITR' })).id,
      ),
    async colleague() {
      const [row] = await db('users')
        .insert({
          firm_id: admin.actor.firmId,
          name: 'One more',
          email: `more${(count += 1)}@example.in`,
          phone: '',
          ca_license_number: '',
          role: 'staff',
          permissions: '[]',
          password_hash: 'none',
          created_at: world.now().toISOString(),
          updated_at: world.now().toISOString(),
        })
        .returning('id');
      return row.id as number;
    },
    async share() {
      const { id } = await build.file(admin.actor, { name: `shared ${(count += 1)}.txt`, client_id });
      const { share } = await services.sharing.links.make(admin.actor, newLink([id], { mode: 'view' }));
      return share.id;
    },
    async request() {
      const id = client_id ?? (await build.client(admin.actor, `Asked ${(count += 1)}`));
      const { made } = await services.requests.office.make(admin.actor, {
        client_ids: [id],
        title: 'ITR',
        rows: ['Form 16'],
        note: '',
        due_on: null,
        language: 'en',
        reminders: { before: null, on: false, after: null },
        send: false,
      });
      return made[0]!.id;
    },
    async portal() {
      const id = client_id ?? (await build.client(admin.actor, `Paged ${(count += 1)}`));
      const emails = ['priya@sharma.in'];
      return (await services.portal.office.make(admin.actor, { client_id: id, emails })).id;
    },
    async invitation() {
      const sent_at = world.now().toISOString();
      const [row] = await db('invitations')
        .insert({
          firm_id: admin.actor.firmId,
          email: `invited${(count += 1)}@example.in`,
          role: 'staff',
          client_scope: 'all',
          clients: '[]',
          client_groups: '[]',
          token_hash: `hash ${count}`,
          invited_by: admin.actor.userId,
          sent_at,
          expires_at: new Date(world.now().getTime() + 60_000).toISOString(),
        })
        .returning('id');
      return row.id as number;
    },
    async label() {
      const name = `Label ${(count += 1)}`;
      return (await services.labels.create(admin.actor, { name, colour: 'red' })).id;
    },
    async note(item_id) {
      const own = { firm_id: admin.actor.firmId, item_id, user_id: caller.actor.userId };
      const [row] = await db('notes')
        .insert({ ...own, text: 'Asked for it.', created_at: world.now().toISOString() })
        .returning('id');
      return row.id as number;
    },
  });

  return { admin, roles, assigned, gone, stranger, fixturesFor };
}

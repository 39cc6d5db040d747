import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import * as v from 'valibot';
import type { BlobStore } from '#storage/blobs.ts';
import type { Actor } from '#server/actor.ts';
import type { ClientScope, Role } from '#server/permissions.ts';
import { PERMISSIONS } from '#server/permissions.ts';
import type { ClientInput } from '../clients/contract.ts';
import { clientInput } from '../clients/contract.ts';
import type { Conflict, ItemView } from '../documents/contract.ts';
import type { Services } from '../services.ts';

export const PASSWORD = 'correct horse';

/** Builds test fixtures; each call takes only the values that the test is about. */
export function createBuild({ services, blobs, db }: { services: Services; blobs: BlobStore; db: Knex }) {
  let hash: Promise<string> | undefined;
  const build = {
    /** The first user of a new firm, signed in. */
    async account({ name = 'Asha Rao', firm_name = 'Rao & Co', email = `${randomUUID()}@example.in` } = {}) {
      const entry = await services.auth.register(
        {
          name,
          email,
          firm_name,
          password: PASSWORD,
          password_confirmation: PASSWORD,
          ca_license_number: 'CA123456',
          phone: '9876543210',
          terms_accepted: true,
        },
        // A distinct address each, so that the rate limit on registrations does not apply.
        { ip: `2001:db8:${randomUUID().slice(0, 4)}:${randomUUID().slice(0, 4)}::1`, userAgent: 'test' },
      );
      const actor = await services.auth.identifyByCookie(entry.cookie);
      return { ...entry, email, password: PASSWORD, actor: actor! };
    },

    /** The actor of a new firm's first user. */
    async actor(): Promise<Actor> {
      return (await build.account()).actor;
    },

    /**
     * Another user of the actor's firm, signed in. Beyond the plan's limit users are read-only: `seats` grants
     * the firm a plan with ten users first.
     */
    async colleague(
      actor: Actor,
      { name = 'Ravi Kumar', role = 'staff' as Role, client_scope = 'all' as ClientScope, seats = true } = {},
    ) {
      if (seats) {
        const { email } = await db('users').where({ id: actor.userId }).first('email');
        const { users } = await services.subscription.limitsOf(actor);
        if (users < 10) await services.subscription.administration.grant(email, 'Enterprise', 12);
      }
      const email = `${randomUUID()}@example.in`;
      const password_hash = await (hash ??= services.auth.newUsers.hash(PASSWORD, {}));
      const entry = await db.transaction((trx) =>
        services.auth.newUsers.add(
          trx,
          { firm_id: actor.firmId, name, email, role, client_scope, password_hash },
          { origin: { ip: '127.0.0.1', userAgent: 'test' }, prepare: async () => {} },
        ),
      );
      const colleague = (await services.auth.identifyByCookie(entry.cookie))!;
      return { ...entry, email, password: PASSWORD, actor: colleague };
    },

    /** The same user with fewer permissions. */
    limited: (actor: Actor, permissions: Actor['permissions'] = [PERMISSIONS[0]]): Actor => ({
      ...actor,
      role: 'staff',
      permissions,
    }),

    folder(actor: Actor, name = 'Folder', parent_id: number | null = null): Promise<ItemView> {
      return services.documents.createFolder(actor, { name, parent_id, client_id: null });
    },

    async file(
      actor: Actor,
      {
        name = 'note.txt',
        content = 'content' as string | Buffer,
        parent_id = null as number | null,
        client_id = null as number | null,
        conflict = 'keep' as Conflict,
      } = {},
    ): Promise<ItemView> {
      const blob = await blobs.put(Readable.from([Buffer.from(content)]));
      return services.documents.addFile(actor, { name, parent_id, client_id, blob, conflict });
    },

    /** @returns the client's id. */
    async client(actor: Actor, name = 'Sharma Traders', more: Partial<ClientInput> = {}): Promise<number> {
      const input = v.parse(clientInput, { name, ...more });
      return (await services.clients.create(actor, input)).id;
    },
  };
  return build;
}
export type Build = ReturnType<typeof createBuild>;

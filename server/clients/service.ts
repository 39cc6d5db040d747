import type { Knex } from 'knex';
import type { Audit } from '#server/audit/service.ts';
import type { Actor } from '#server/auth/contract.ts';
import { forbidden } from '#server/http/errors.ts';
import type { Clock } from '../clock.ts';
import type { ClientInput, ClientOption, ClientView } from './contract.ts';
import { Client } from './model.ts';
import { mayRead, mayWrite } from './policy.ts';

export interface ClientParts {
  db: Knex;
  clock: Clock;
  audit: Audit;
}

export function createClients({ db, clock, audit }: ClientParts) {
  /** The firm's clients as a reader orders names. */
  async function ofFirm(actor: Actor): Promise<Client[]> {
    if (!mayRead(actor)) throw forbidden();
    const clients = await Client.query(db).where({ firm_id: actor.firmId });
    const { compare } = new Intl.Collator('en-IN', { numeric: true });
    return clients.toSorted((a, b) => compare(a.name, b.name) || a.id - b.id);
  }

  return {
    /** By name. @throws {AppError} 403. */
    list: async (actor: Actor): Promise<ClientView[]> =>
      (await ofFirm(actor)).map((client) => client.toView()),

    /** For a select, by name. @throws {AppError} 403. */
    options: async (actor: Actor): Promise<ClientOption[]> =>
      (await ofFirm(actor)).map(({ id, name }) => ({ value: id, label: name })),

    /** @throws {AppError} 403. */
    async create(actor: Actor, input: ClientInput): Promise<ClientView> {
      if (!mayWrite(actor)) throw forbidden();
      const now = clock().toISOString();
      return db.transaction(async (trx) => {
        const row = { ...input, firm_id: actor.firmId, created_at: now, updated_at: now };
        const client = await Client.query(trx).insertAndFetch(row);
        const subject = `client:${client.id}`;
        await audit.record(trx, { actor, did: 'client.create', subject, detail: { name: input.name } });
        return client.toView();
      });
    },
  };
}
export type Clients = ReturnType<typeof createClients>;

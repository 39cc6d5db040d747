import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import { may } from '#server/actor.ts';
import type { Retention } from '#server/documents/retention/service.ts';
import { mayLetIn } from '#server/links/may-let-in.ts';
import { lostClients } from '#server/visibility/assignments.ts';
import type { ClientInput } from './contract.ts';
import { retainedTypeText } from './refusals.ts';
import type { Client } from './model.ts';

export interface RefusalDependencies {
  retention: Pick<Retention, 'ofClients'>;
  /** Which of these clients have a page that is not ended. */
  withPage: (db: Knex, clientIds: Iterable<number>) => Promise<Set<number>>;
}

interface Change {
  before: Client;
  after: Pick<ClientInput, 'client_type' | 'email' | 'group_name'>;
}

/** The refused fields of a client, with the reason. */
type Refused = Partial<Record<'client_type' | 'email' | 'group_name', string[]>>;

const PAGE_ADDRESS =
  'This client has a page, which opens for this address. Whoever opens it may download what colleagues have shared ' +
  'there, which is more than you may. Ask an admin to change the address.';

const LOST = 'You would not see this client any more. Ask an admin to change the group.';

const address = (email: string | null): string => (email ?? '').trim().toLowerCase();
const changesType = ({ before, after }: Change) => before.client_type !== after.client_type;
/** An address that is only removed opens nothing. */
const opensPage = ({ before, after }: Change) =>
  address(after.email) !== '' && address(after.email) !== address(before.email);
const changesGroup = ({ before, after }: Change) => before.group_name !== after.group_name;

/**
 * Finds the fields that this user may not change, by client: the type where that would end the retention of documents,
 * the address that opens the client's page, and the group by which alone the user sees the client. Used by the form and by the import, so that neither is a way around.
 */
export function createRefusals({ retention, withPage }: RefusalDependencies) {
  return async (
    db: Knex,
    actor: Actor,
    changes: readonly Change[],
  ): Promise<Map<number, { errors: Refused; code: 'kept' | 'page_address' | 'invalid' }>> => {
    const idsOf = (some: readonly Change[]) => some.map(({ before }) => before.id);
    const types = may(actor, 'retention.manage') ? [] : changes.filter(changesType);
    const addresses = mayLetIn(actor) ? [] : changes.filter(opensPage);
    const rules = types.length > 0 ? await retention.ofClients(db, idsOf(types)) : new Map<number, never>();
    const pages = addresses.length > 0 ? await withPage(db, idsOf(addresses)) : new Set<number>();
    const lost = await lostClients(
      db,
      actor,
      changes.filter(changesGroup).map(({ before, after }) => ({ id: before.id, group: after.group_name })),
    );
    return new Map(
      [...new Set([...rules.keys(), ...pages, ...lost])].map((id) => {
        const rule = rules.get(id);
        const errors: Refused = {
          ...(rule && { client_type: [retainedTypeText(rule)] }),
          ...(pages.has(id) && { email: [PAGE_ADDRESS] }),
          ...(lost.has(id) && { group_name: [LOST] }),
        };
        return [id, { errors, code: rule ? 'kept' : pages.has(id) ? 'page_address' : 'invalid' }];
      }),
    );
  };
}
export type Refusals = ReturnType<typeof createRefusals>;

import type { Knex } from 'knex';
import type { Actor } from '#server/actor.ts';
import type { Door } from '#server/collecting/contract.ts';
import type { DoorKind, FilingTarget } from '#server/collecting/service.ts';
import { REQUEST_ALLOWANCE } from './contract.ts';
import type { RequestRecord, RowRecord } from './model.ts';
import { doorOf, stateOf } from './model.ts';
import { noteNews } from './news.ts';
import type { RequestsDependencies } from './dependencies.ts';

export interface RequestFacts extends RequestRecord {
  client: string;
  firm: string;
  from_name: string;
  from_email: string;
  /** When the requester was deactivated. */
  from_gone: string | null;
}

/** The requester as clients see them; null after the requester has left, so that the firm itself asks. */
export const askerOf = ({
  from_name,
  from_email,
  from_gone,
}: Pick<RequestFacts, 'from_name' | 'from_email' | 'from_gone'>): { name: string; email: string } | null =>
  from_gone === null ? { name: from_name, email: from_email } : null;

/** Requests joined with their client, firm and maker, without deleted clients. */
export const factsOf = (db: Knex) =>
  db('requests as r')
    .join('clients as c', (on) => on.on('c.id', 'r.client_id').andOn('c.firm_id', 'r.firm_id'))
    .join('firms as f', 'f.id', 'r.firm_id')
    .join('users as u', 'u.id', 'r.made_by')
    .select(
      'r.*',
      'c.name as client',
      'f.name as firm',
      'u.name as from_name',
      'u.email as from_email',
      'u.deactivated_at as from_gone',
    );

/** The links of requests as doors for incoming files. */
export function createDoors({ audit, incoming, sharingOn }: RequestsDependencies): DoorKind & {
  doorFor(facts: RequestFacts): Door;
} {
  const doorFor = (facts: RequestFacts): Door => ({
    key: doorOf(facts.id),
    firmId: facts.firm_id,
    firm: facts.firm,
    ownerId: facts.made_by,
    clientId: facts.client_id,
    sender: facts.client,
    allows: REQUEST_ALLOWANCE,
  });

  return {
    doorFor,

    async find(db: Knex, id: number, { taken }): Promise<Door | null> {
      const facts: RequestFacts | undefined = await factsOf(db).where('r.id', id).first();
      if (!facts) return null;
      const open = stateOf(facts) === 'open' && (await sharingOn(db, facts.firm_id));
      return open || taken ? doorFor(facts) : null;
    },

    async takes(db: Knex, request_id: number, slot: number | null): Promise<boolean> {
      if (slot === null) return false;
      const row: RowRecord | undefined = await db('request_rows').where({ id: slot, request_id }).first();
      return row !== undefined && row.state !== 'accepted';
    },

    async place(
      trx: Knex.Transaction,
      actor: Actor,
      { key, clientId }: Door,
      slot: number | null,
    ): Promise<FilingTarget> {
      const id = Number(key.slice(key.indexOf(':') + 1));
      const request: RequestRecord = await trx('requests').where({ id }).first();
      const row: RowRecord | undefined = await trx('request_rows')
        .where({ id: slot ?? 0 })
        .first();
      const where = { known: request.folder_id, client_id: clientId, name: request.title };
      const folder_id = await incoming.folderFor(trx, actor, where);
      if (folder_id !== request.folder_id) await trx('requests').where({ id }).update({ folder_id });
      return { parent_id: folder_id, client_id: clientId, asked: row?.name ?? null };
    },

    async filed(trx, actor, { key }, { slot, itemId, name, at }): Promise<void> {
      const id = Number(key.slice(key.indexOf(':') + 1));
      const received = { state: 'received', reason: null, updated_at: at };
      await trx('request_rows')
        .where({ id: slot ?? 0 })
        .whereNot({ state: 'accepted' })
        .update(received);
      await noteNews(trx, id, at);
      const row: RowRecord | undefined = await trx('request_rows')
        .where({ id: slot ?? 0 })
        .first();
      const detail = { request: id, name, row: row?.name ?? null, ids: [itemId] };
      await audit.record(trx, { actor, did: 'request.received', subject: `item:${itemId}`, detail });
    },
  };
}
export type Doors = ReturnType<typeof createDoors>;
